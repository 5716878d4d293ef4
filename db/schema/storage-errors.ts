import type { AppError } from '#domain/errors.ts';
import { fail, ok, type Result } from '#domain/result.ts';

import type { DeskDatabase } from './database.ts';

/** Aborts a transaction whose author is no longer the leader. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
}

/** Aborts a transaction on a store that takes nothing more in. */
export class SealedError extends Error {
  override readonly name = 'SealedError';
}

const toName = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null || !('name' in error)) return undefined;
  return typeof error.name === 'string' ? error.name : undefined;
};

const findInner = (error: unknown): unknown => {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('inner' in error && error.inner !== error) return error.inner;
  return 'cause' in error && error.cause !== error ? error.cause : undefined;
};

const NESTING_MAX = 5;

/** An error and what it wraps, outermost first. */
const toChain = (error: unknown): readonly unknown[] => {
  const chain: unknown[] = [];
  let current = error;
  for (let depth = 0; depth < NESTING_MAX && current !== undefined; depth += 1) {
    chain.push(current);
    current = findInner(current);
  }
  return chain;
};

/** The names of an error and of what it wraps, outermost first. */
const toNames = (error: unknown): readonly string[] =>
  toChain(error).flatMap((link) => toName(link) ?? []);

/**
 * What Chromium 156 says where the disk has no byte left: the first write that does not fit ends as
 * `UnknownError: Connection is closing because of: IO error: …: FILE_ERROR_NO_SPACE`, an opening in
 * some versions as `QuotaExceededError: Encountered full disk while opening backing store`.
 */
const NO_SPACE = /FILE_ERROR_NO_SPACE|full disk/;

/**
 * Whether an error says that the disk is full. Over the origin's quota it is a bare
 * QuotaExceededError on the transaction, which Dexie wraps in an AbortError.
 */
const isDiskFull = (error: unknown): boolean =>
  toNames(error).includes('QuotaExceededError') ||
  toChain(error).some((link) => link instanceof Error && NO_SPACE.test(link.message));

export const toStorageError = (error: unknown): AppError => {
  const names = toNames(error);
  if (names.includes('FencedError')) return { kind: 'fenced' };
  if (isDiskFull(error)) return { kind: 'quota' };
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'storage', detail: `${names[0] ?? 'Error'}: ${message}` };
};

/** Given up by the browser, as an opening is while its database is being deleted. */
export const isAborted = (error: unknown): boolean => toNames(error).at(-1) === 'AbortError';

const REOPENABLE: ReadonlySet<string> = new Set([
  'UnknownError',
  'InvalidStateError',
  'DatabaseClosedError',
]);

const isReopenable = (error: unknown): boolean => {
  const names = toNames(error);
  return names.some((name) => REOPENABLE.has(name)) && !isDiskFull(error);
};

/**
 * Runs a storage action. When the browser lost the connection to the database, it is opened
 * again and the action tried once more; actions must bear that. Rejects as the action does.
 */
export const withReopening = async <T>(
  database: DeskDatabase,
  action: () => PromiseLike<T>,
): Promise<T> => {
  try {
    return await action();
  } catch (error) {
    if (database.isEnded || !isReopenable(error)) throw error;
  }
  database.close({ disableAutoOpen: false });
  await database.open();
  return await action();
};

/** `withReopening`, answering with a value. */
export const attempt = async <T>(
  database: DeskDatabase,
  action: () => PromiseLike<T>,
): Promise<Result<T, AppError>> => {
  try {
    return ok(await withReopening(database, action));
  } catch (error) {
    return fail(toStorageError(error));
  }
};
