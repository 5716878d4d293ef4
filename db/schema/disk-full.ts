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

/** An error and its causes, outermost first. */
const toChain = (error: unknown): readonly unknown[] => {
  const chain: unknown[] = [];
  let current = error;
  for (let depth = 0; depth < NESTING_MAX && current !== undefined; depth += 1) {
    chain.push(current);
    current = findInner(current);
  }
  return chain;
};

/** The names of an error and of its causes, outermost first. */
export const toNames = (error: unknown): readonly string[] =>
  toChain(error).flatMap((link) => toName(link) ?? []);

/**
 * The errors of Chromium 156 on a completely full disk: the first write that does not fit fails
 * with `UnknownError: Connection is closing because of: IO error: …: FILE_ERROR_NO_SPACE`, an
 * opening in some versions with `QuotaExceededError: Encountered full disk while opening backing
 * store`.
 */
const NO_SPACE = /FILE_ERROR_NO_SPACE|full disk/;

/** Whether the browser closed the databases for lack of space, or did not open them. */
export const isConnectionLost = (error: unknown): boolean =>
  toChain(error).some((link) => link instanceof Error && NO_SPACE.test(link.message));

/**
 * Whether an error means that the disk is full. Over the origin's quota it is a bare
 * QuotaExceededError on the transaction, which Dexie wraps in an AbortError.
 */
export const isDiskFull = (error: unknown): boolean =>
  toNames(error).includes('QuotaExceededError') || isConnectionLost(error);
