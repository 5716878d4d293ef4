import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const ROOT = 'tests';
const SUFFIX = /\.test\.tsx?$/;
/** A test's or a group's call up to its title: `test('`, `it.each([…])('`, `describe("`. */
const TITLE =
  /\b(?:test|it|describe)(?:\.each\([\s\S]*?\)(?=\())?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g;
const SWITCHED_OFF = /\b(?:test|it|describe)\.(?:skip|todo|fails|only|skipIf|runIf)\b/;

/** A test file as found in its source. */
export interface TestFile {
  /** As in the trace: `e2e/chat/history`. */
  readonly name: string;
  readonly titles: ReadonlySet<string>;
  /** Contains a test that is skipped, expected to fail, or run alone. */
  readonly isSwitchedOff: boolean;
}

/** All test files below `tests/`, read without running them. */
export const findTestFiles = (): readonly TestFile[] =>
  globSync(`${ROOT}/**/*.test.{ts,tsx}`).map((path) => {
    const source = readFileSync(path, 'utf8');
    return {
      name: relative(ROOT, path).replace(SUFFIX, ''),
      titles: new Set(Array.from(source.matchAll(TITLE), ([, , title]) => title ?? '')),
      isSwitchedOff: SWITCHED_OFF.test(source),
    };
  });
