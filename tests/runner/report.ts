import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import * as z from 'zod';

import type { TaggedTest } from '../spec/trace.ts';

/** Tests of one vitest project, or one check. */
export interface Count {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
}

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      /** The failures outside its tests, such as a hook. */
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          tags: z.array(z.string()),
          failureMessages: z.array(z.string()).optional(),
        }),
      ),
    }),
  ),
});

type FileReport = z.infer<typeof reportSchema>['testResults'][number];

/** The report of a vitest run. */
export interface Report {
  /** By folder under `tests/`. */
  readonly counts: readonly Count[];
  readonly tagged: readonly TaggedTest[];
  /** The failures, one per line, for the end of a long log. */
  readonly failures: readonly string[];
}

/** `tests/db/a.test.ts` as `db/a.test.ts`. */
const toName = (file: string): string =>
  relative('tests', file.replaceAll('/', sep)).split(sep).join('/');

/** A file that failed before its first test counts as one failure, and so does a skipped test. */
const countFile = (file: FileReport): { passed: number; failed: number } => {
  const passed = file.assertionResults.filter((test) => test.status === 'passed').length;
  const failed = file.assertionResults.length - passed;
  return { passed, failed: failed === 0 && file.status === 'failed' ? 1 : failed };
};

const listTagged = (file: FileReport): readonly TaggedTest[] =>
  file.assertionResults
    .filter(({ tags }) => tags.length > 0)
    .map(({ fullName, status, tags }) => ({
      file: toName(file.name),
      title: fullName,
      status,
      tags,
    }));

/** Characters of a failure's message; the log above has all of it. */
const MESSAGE_MAX = 200;

const toFirstLine = (message: string): string =>
  (stripVTControlCharacters(message).split('\n')[0] ?? '').slice(0, MESSAGE_MAX);

const listFailures = (file: FileReport): readonly string[] => {
  const name = toName(file.name);
  const tests = file.assertionResults;
  if (file.status === 'failed' && !tests.some(({ status }) => status === 'failed')) {
    return [`${name}: ${toFirstLine(file.message || 'failed outside its tests')}`];
  }
  return tests
    .filter(({ status }) => status !== 'passed')
    .map(({ fullName, status, failureMessages: [message = status] = [] }) => {
      return `${name} › ${fullName}: ${toFirstLine(message)}`;
    });
};

/** Reads vitest's JSON report. A missing report is empty. */
export const readReport = async (reportPath: string): Promise<Report> => {
  const text = await readFile(reportPath, 'utf8').catch(() => undefined);
  if (text === undefined) return { counts: [], tagged: [], failures: [] };
  const files = reportSchema.parse(JSON.parse(text)).testResults;
  const counts = new Map<string, Count>();
  for (const file of files) {
    const name = toName(file.name).split('/')[0] ?? file.name;
    const before = counts.get(name) ?? { name, passed: 0, failed: 0 };
    const { passed, failed } = countFile(file);
    counts.set(name, { name, passed: before.passed + passed, failed: before.failed + failed });
  }
  return {
    counts: [...counts.values()],
    tagged: files.flatMap(listTagged),
    failures: files.flatMap(listFailures),
  };
};
