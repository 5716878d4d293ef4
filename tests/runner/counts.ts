import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';

import * as z from 'zod';

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
      assertionResults: z.array(z.object({ status: z.string() })),
    }),
  ),
});

type FileReport = z.infer<typeof reportSchema>['testResults'][number];

/** `tests/db/…` belongs to `db`. */
const toFolder = (file: string): string =>
  relative('tests', file.replaceAll('/', sep)).split(sep)[0] ?? file;

/** A file that failed before its first test counts as one failure, and so does a skipped test. */
const countFile = (file: FileReport): { passed: number; failed: number } => {
  const passed = file.assertionResults.filter((test) => test.status === 'passed').length;
  const failed = file.assertionResults.length - passed;
  return { passed, failed: failed === 0 && file.status === 'failed' ? 1 : failed };
};

/** Reads vitest's JSON report: counts by folder under tests/. A missing report is empty. */
export const readCounts = async (reportPath: string): Promise<readonly Count[]> => {
  const text = await readFile(reportPath, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const counts = new Map<string, Count>();
  for (const file of reportSchema.parse(JSON.parse(text)).testResults) {
    const name = toFolder(file.name);
    const before = counts.get(name) ?? { name, passed: 0, failed: 0 };
    const { passed, failed } = countFile(file);
    counts.set(name, { name, passed: before.passed + passed, failed: before.failed + failed });
  }
  return [...counts.values()];
};
