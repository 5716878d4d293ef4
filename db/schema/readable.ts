import type { RowParser } from '#domain/project/row-schemas.ts';

import { ROW_VERSION } from './tables.ts';

/** A stored row nobody can read. */
export interface BrokenRow {
  readonly row: unknown;
  readonly reason: string;
}

export interface ReadRows<T> {
  readonly rows: readonly T[];
  readonly broken: readonly BrokenRow[];
}

const isFromNewerVersion = (row: unknown): boolean =>
  typeof row === 'object' &&
  row !== null &&
  'v' in row &&
  typeof row.v === 'number' &&
  row.v > ROW_VERSION;

/**
 * Parses stored rows one by one, so that a bad one loses no neighbour. Rows a newer version
 * wrote are read where possible and otherwise left alone: they are not broken.
 */
export const readRows = <T>(parse: RowParser<T>, stored: readonly unknown[]): ReadRows<T> => {
  const rows: T[] = [];
  const broken: BrokenRow[] = [];
  for (const row of stored) {
    const parsed = parse(row);
    if (parsed.ok) rows.push(parsed.value);
    else if (!isFromNewerVersion(row)) broken.push({ row, reason: parsed.error });
  }
  return { rows, broken };
};
