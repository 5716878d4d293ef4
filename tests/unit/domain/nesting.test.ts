import { expect, it } from 'vitest';

import { isShallow, toShallow } from '#domain/rules/nesting.ts';

const nest = (depth: number): unknown =>
  JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;

it('measures the nesting of a value, however deep it is', () => {
  expect([isShallow('x', 0), isShallow(nest(1), 0), isShallow(nest(1), 1)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(isShallow(nest(100_000), 100)).toBe(false);
});

it('removes only values that are nested too deeply', () => {
  const kept = { text: 'x', names: ['a'] };
  expect(toShallow(kept, 2)).toBe(kept);
  expect(toShallow({ ...kept, deep: nest(50_000) }, 100)).toEqual(kept);
  expect(toShallow(nest(50_000), 100)).toBeNull();
});
