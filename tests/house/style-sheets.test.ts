import { globSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { describe, expect, test } from 'vitest';

/** Selectors with `:hover` outside `(hover: hover)`, which would stay active after a touch. */
const findSticky = (css: string): readonly string[] => {
  const blocks: string[] = [];
  const sticky: string[] = [];
  for (const [, prelude = '', mark] of css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .matchAll(/([^{};]*)([{};])/g)) {
    if (mark === '}') blocks.pop();
    if (mark !== '{') continue;
    const isGuarded = blocks.some((block) => /^@media[^{]*\(hover:\s*hover\)/.test(block));
    if (prelude.includes(':hover') && !isGuarded) sticky.push(prelude.trim());
    blocks.push(prelude.trim());
  }
  return sticky;
};

describe('a hover style', () => {
  test('is found if it applies to devices without hover', () => {
    expect(findSticky('.a:hover { color: red; }')).toEqual(['.a:hover']);
    expect(findSticky('@media (pointer: fine) { .a:hover .b { color: red; } }')).toEqual([
      '.a:hover .b',
    ]);
    expect(findSticky('@media (hover: hover) { .a { c: d; } } .b:hover { c: d; }')).toEqual([
      '.b:hover',
    ]);
    expect(findSticky('/* .a:hover {} */ @media (hover: hover) { .a:hover { c: d; } }')).toEqual(
      [],
    );
  });

  test('does not stick after a touch', async () => {
    const sticky: Record<string, readonly string[]> = {};
    let count = 0;
    for await (const file of glob('src/**/*.css')) {
      count += 1;
      const found = findSticky(await readFile(file, 'utf8'));
      if (found.length > 0) sticky[file] = found;
    }
    expect(sticky).toEqual({});
    expect(count).toBeGreaterThan(20);
  });
});

test('every style sheet has a unique name', () => {
  const names = globSync('src/**/*.module.css').map((file) => basename(file));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
