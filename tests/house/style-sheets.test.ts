import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { describe, expect, test } from 'vitest';

/** The selectors of a style sheet to which `isSought` applies; `blocks`: the rules around them. */
const findSelectors = (
  css: string,
  isSought: (selector: string, blocks: readonly string[]) => boolean,
): readonly string[] => {
  const blocks: string[] = [];
  const found: string[] = [];
  for (const [, prelude = '', mark] of css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .matchAll(/([^{};]*)([{};])/g)) {
    if (mark === '}') blocks.pop();
    if (mark !== '{') continue;
    if (isSought(prelude, blocks)) found.push(prelude.trim());
    blocks.push(prelude.trim());
  }
  return found;
};

/** Selectors with `:hover` outside `(hover: hover)`, which would stay active after a touch. */
const findSticky = (css: string): readonly string[] =>
  findSelectors(
    css,
    (selector, blocks) =>
      selector.includes(':hover') &&
      !blocks.some((block) => /^@media[^{]*\(hover:\s*hover\)/.test(block)),
  );

/** The text up to the parenthesis that closes the one before it. */
const toArgument = (text: string): string => {
  let depth = 1;
  for (const { 0: bracket, index } of text.matchAll(/[()]/g)) {
    depth += bracket === '(' ? 1 : -1;
    if (depth === 0) return text.slice(0, index);
  }
  return text;
};

const WHOLE_PAGE = /(?:^|[\s,>+~])(?:(?:html|body|:root|#root|\*)(?:[.:[#][^\s,>+~]*)?)?$/;
const CHILDREN = /^(?:\s*>\s*[^\s>,]+)+\s*$/;

/** Whether a selector contains `:has()` for descendants of the whole page. */
const searchesPage = (selector: string): boolean => {
  const plain = selector
    .replaceAll(/:global\(([^()]*)\)/g, '$1')
    .replaceAll(/:(?:not|is|where)\(/g, '');
  return [...plain.matchAll(/:has\(/g)].some(({ index }) => {
    const argument = toArgument(plain.slice(index + ':has('.length));
    const isLimited = argument.split(',').every((part) => CHILDREN.test(part));
    return WHOLE_PAGE.test(plain.slice(0, index)) && !isLimited;
  });
};

/**
 * Selectors on the screen that search the whole page for an element: Chromium repeats the search
 * whenever an element is added or removed anywhere, for each message 1 to 2 ms.
 */
const findSearches = (css: string): readonly string[] =>
  findSelectors(
    css,
    (selector, blocks) => searchesPage(selector) && !blocks.includes('@media print'),
  );

/** What `find` finds in the style sheets, by file. */
const findInAll = async (find: (css: string) => readonly string[]) => {
  const files = globSync('src/**/*.css');
  expect(files.length).toBeGreaterThan(20);
  const found = await Promise.all(
    files.map(async (file) => [file, find(await readFile(file, 'utf8'))] as const),
  );
  return Object.fromEntries(found.filter(([, selectors]) => selectors.length > 0));
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
    expect(await findInAll(findSticky)).toEqual({});
  });
});

describe('a style of the page', () => {
  test('is found if it searches all elements', () => {
    const searches = [
      ':global(:root):has(.a)',
      ':root:has(> body .a)',
      ':root:has(> body, .a)',
      'body:has(.a) .b',
      'body.a:has(.b)',
      'body :has(.b)',
      'html:not(:has(.a))',
      '#root[data-a]:not(:has(.b))',
      '*:has(.a)',
    ];
    const limited = [
      ':root:has(> body > .a)',
      ':global(body):has(> .a, > .b)',
      '.a:has(.b)',
      '.body:has(.b)',
      'body .a:not(:has(.b))',
    ];
    const toCss = (selectors: readonly string[]): string =>
      selectors.map((selector) => `${selector} { color: red; }`).join('\n');
    expect(findSearches(toCss([...searches, ...limited]))).toEqual(searches);
    expect(findSearches(`@media print { ${toCss(searches)} }`)).toEqual([]);
  });

  test('does not search all elements', async () => {
    expect(await findInAll(findSearches)).toEqual({});
  });
});

test('every style sheet has a unique name', () => {
  const names = globSync('src/**/*.module.css').map((file) => basename(file));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
