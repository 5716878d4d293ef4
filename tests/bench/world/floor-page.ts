/** One row of the floor's store. */
export interface FloorRow {
  readonly room: string;
  readonly timetoken: string;
  readonly id: string;
  readonly text: string;
}

/** The floor's page: the platform baseline, on raw IndexedDB and the plain DOM. */
export interface FloorPage {
  /** Stores rows durably in one transaction; the time it took, ms. */
  write(rows: readonly FloorRow[]): Promise<number>;
  /** Length of one whole frame, ms. */
  frame(): Promise<number>;
  /** The newest rows of a room. */
  read(room: string, count: number): Promise<readonly FloorRow[]>;
  /** Shows the newest rows of a room. */
  show(room: string): Promise<void>;
}

declare global {
  var benchFloor: FloorPage | undefined;
}

/**
 * The script of the floor's page: shows the newest 25 rows of the room in `location.hash`, and of
 * another room when its link is clicked.
 */
const runFloorPage = (): void => {
  const PAGE_SIZE = 25;
  const list = document.querySelector('ol');
  const opened = new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('floor', 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('messages', { keyPath: ['room', 'timetoken'] });
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
  const begin = async (mode: IDBTransactionMode): Promise<IDBTransaction> =>
    (await opened).transaction('messages', mode, { durability: 'strict' });

  const read = async (room: string, count: number): Promise<FloorRow[]> => {
    const store = (await begin('readonly')).objectStore('messages');
    const query = IDBKeyRange.bound([room, ''], [room, '\uFFFF']);
    // One request for the newest rows; the compiler's library lacks this form of the call.
    const options: unknown = { query, count, direction: 'prev' };
    const request = store.getAll(options as IDBKeyRange);
    return new Promise((resolve, reject) => {
      request.addEventListener('success', () => {
        resolve((request.result as FloorRow[]).toReversed());
      });
      request.addEventListener('error', () => reject(request.error));
    });
  };

  const show = async (room: string): Promise<void> => {
    const items = (await read(room, PAGE_SIZE)).map(({ id, text }) => {
      const item = document.createElement('li');
      item.dataset['messageId'] = id;
      item.textContent = text;
      return item;
    });
    list?.replaceChildren(...items);
    items.at(-1)?.scrollIntoView();
  };

  globalThis.benchFloor = {
    show,
    read,
    write: async (rows) => {
      const from = performance.now();
      const transaction = await begin('readwrite');
      const store = transaction.objectStore('messages');
      for (const row of rows) store.put(row);
      await new Promise<void>((resolve, reject) => {
        transaction.addEventListener('complete', () => resolve());
        transaction.addEventListener('abort', () => reject(transaction.error));
      });
      return performance.now() - from;
    },
    frame: () =>
      new Promise((resolve) => {
        requestAnimationFrame((from) => requestAnimationFrame((to) => resolve(to - from)));
      }),
  };
  document.addEventListener('click', (event) => {
    if (event.target instanceof HTMLAnchorElement) void show(event.target.hash.slice(1));
  });
  if (location.hash !== '') void show(location.hash.slice(1));
};

/** The floor's service worker: answers from its cache. */
const runFloorWorker = (): void => {
  const scope = globalThis as unknown as EventTarget & {
    skipWaiting(): Promise<void>;
    readonly clients: { claim(): Promise<void> };
  };
  type Extendable = Event & { waitUntil(done: Promise<unknown>): void };
  type Fetch = Event & { readonly request: Request; respondWith(answer: Promise<Response>): void };
  scope.addEventListener('install', (event) => {
    const fill = async (): Promise<void> => {
      await (await caches.open('floor')).addAll(['/', '/floor.js']);
      await scope.skipWaiting();
    };
    (event as Extendable).waitUntil(fill());
  });
  scope.addEventListener('activate', (event) => {
    (event as Extendable).waitUntil(scope.clients.claim());
  });
  scope.addEventListener('fetch', (event) => {
    const { request } = event as Fetch;
    const answer = async (): Promise<Response> => {
      const key = request.mode === 'navigate' ? '/' : request;
      return (await caches.match(key)) ?? fetch(request);
    };
    (event as Fetch).respondWith(answer());
  });
};

const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Floor</title>
<link rel="icon" href="data:,"><nav></nav><ol></ol><script src="/floor.js"></script></html>`;

const FORM = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign in</title>
<link rel="icon" href="data:,"><form><input type="email"><input type="password">
<button>Sign In</button></form></html>`;

/** The files of the floor's site by path: media type and content. */
export const FLOOR_FILES: Readonly<Record<string, readonly [type: string, content: string]>> = {
  '/': ['text/html', HTML],
  '/form': ['text/html', FORM],
  '/floor.js': [
    'text/javascript',
    `(${runFloorPage.toString()})();navigator.serviceWorker.register('/sw.js');`,
  ],
  '/sw.js': ['text/javascript', `(${runFloorWorker.toString()})();`],
};
