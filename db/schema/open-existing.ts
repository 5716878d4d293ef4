/** The part of an IndexedDB that reads use. */
export type Factory = Pick<IDBFactory, 'open'>;

/** The result of a request; rejects with its error. */
export const toPromise = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('The request failed.')),
    );
  });

/**
 * Opens a database in its current version, without the library; undefined if it does not exist.
 * Creates none.
 */
export const openExisting = async (
  factory: Factory,
  name: string,
): Promise<IDBDatabase | undefined> => {
  const request = factory.open(name);
  let isAbsent = false;
  request.addEventListener('upgradeneeded', () => {
    isAbsent = true;
    request.transaction?.abort();
  });
  try {
    return await toPromise(request);
  } catch (error) {
    if (isAbsent) return undefined;
    throw error;
  }
};
