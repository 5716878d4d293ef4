import { expect, it } from 'vitest';

import { isShallow, toShallow } from '#domain/rules/nesting.ts';

const nest = (depth: number): unknown =>
  JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;

it('tells how deep a value is nested, however deep that is', () => {
  expect([isShallow('x', 0), isShallow(nest(1), 0), isShallow(nest(1), 1)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(isShallow(nest(100_000), 100)).toBe(false);
});

it('leaves out what is nested too deeply, and nothing else', () => {
  const kept = { text: 'x', names: ['a'] };
  expect(toShallow(kept, 2)).toBe(kept);
  expect(toShallow({ ...kept, deep: nest(50_000) }, 100)).toEqual(kept);
  expect(toShallow(nest(50_000), 100)).toBeNull();
});
