import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type axe from 'axe-core';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2, A and AA, and what axe recommends besides: landmarks, headings, roles. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const RULES = {
  all: { runOnly: { type: 'tag', values: TAGS } },
  /** Rules that depend on the colour scheme. */
  colours: { runOnly: { type: 'rule', values: ['color-contrast'] } },
  /** Rules that depend on the size. */
  shape: {
    runOnly: { type: 'tag', values: TAGS },
    rules: { 'color-contrast': { enabled: false } },
  },
} as const satisfies Record<string, RunOptions>;

/** The violations that axe finds on the current page. */
export const findViolations = async (
  page: Page,
  rules: keyof typeof RULES,
): Promise<readonly string[]> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults, RunOptions>(
    (options) => (globalThis as unknown as { axe: typeof axe }).axe.run(document, options),
    { ...RULES[rules], resultTypes: ['violations'] },
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
};
