/** SQLite's primary result codes that this server distinguishes (sqlite.org/rescode.html). */
export const SQLITE = {
  busy: 5,
  inputOutput: 10,
  corrupt: 11,
  cannotOpen: 14,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
  noDatabase: 26,
} as const;

/** The primary code of an error from node:sqlite (the low byte of `errcode`), else undefined. */
export const findSqliteCode = (thrown: unknown): number | undefined =>
  thrown instanceof Error && 'errcode' in thrown && typeof thrown.errcode === 'number'
    ? thrown.errcode % 256
    : undefined;
