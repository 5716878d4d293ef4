import { BEHAVIOUR } from './behaviour.ts';
import { DATA } from './data.ts';
import { PRODUCT } from './product.ts';
import { RULES } from './rules.ts';
import type { Section } from './statement.ts';

/** Every checkable statement of the specification (§1 to §9), and the tests that show it. */
export const TRACE: Section = { ...PRODUCT, ...DATA, ...BEHAVIOUR, ...RULES };
