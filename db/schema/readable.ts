import type { Table } from 'dexie';

import type { ClientLog } from '#domain/ports/browser.ts';
import type { RowParser } from '#domain/project/row-schemas.ts';

import { ROW_VERSION } from './tables.ts';

/** Whether there is any row; a count would read them all. */
export const hasRows = async (rows: Pick<Table, 'limit'>): Promise<boolean> =>
  (await rows.limit(1).primaryKeys()).length > 0;

export interface ReadRows<T> {
  readonly rows: readonly T[];
  /** The reason why the first unreadable row is unreadable; undefined if there is none. */
  readonly reason: string | undefined;
}

/** Whether a newer version wrote this stored row. */
export const isFromNewerVersion = (row: unknown): boolean =>
  typeof row === 'object' &&
  row !== null &&
  'v' in row &&
  typeof row.v === 'number' &&
  row.v > ROW_VERSION;

/**
 * Parses stored rows one by one, so that an unreadable row does not affect the others. Rows
 * from a newer version are read where possible and otherwise skipped: they are not unreadable.
 */
export const readRows = <T>(parse: RowParser<T>, stored: readonly unknown[]): ReadRows<T> => {
  const rows: T[] = [];
  let reason: string | undefined;
  for (const row of stored) {
    const parsed = parse(row);
    if (parsed.ok) rows.push(parsed.value);
    else if (!isFromNewerVersion(row)) reason ??= parsed.error;
  }
  return { rows, reason };
};

export interface Unreadable {
  readonly table: 'entries' | 'messages' | 'outbox' | 'coverage' | 'activity';
  readonly reason: string;
}

export const reportUnreadable = (
  { clientLog }: { readonly clientLog: ClientLog },
  { table, reason }: Unreadable,
): void => clientLog.write('error', 'STORED_ROW_UNREADABLE', { table, reason });
