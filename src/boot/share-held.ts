import { hold, release } from '#db/schema/held.ts';
import { readRows } from '#db/schema/readable.ts';
import type { SpaceView } from '#db/schema/space-state.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import { parseMessageRow } from '#domain/project/row-schemas.ts';
import type { MessageRow } from '#domain/project/rows.ts';

/** Messages between the tabs of one user on a full disk. */
interface HeldUpdate {
  /** The disk refused a write. */
  readonly isFull: boolean;
  readonly added: readonly MessageRow[];
  /** Keys of rows that are stored now. */
  readonly stored: readonly string[];
}

/** A new tab requests the held rows of the others. */
const QUESTION = 'what is held?';

const isUpdate = (data: unknown): data is Record<keyof HeldUpdate, unknown> =>
  typeof data === 'object' && data !== null && 'added' in data && 'stored' in data;

const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Another build of the page may have written it: invalid parts are dropped. */
const toUpdate = (data: Record<keyof HeldUpdate, unknown>): HeldUpdate => ({
  isFull: data.isFull === true,
  added: readRows(parseMessageRow, toArray(data.added)).rows,
  stored: toArray(data.stored).filter((key) => typeof key === 'string'),
});

const toKeys = (rows: readonly MessageRow[]): ReadonlySet<string> =>
  new Set(rows.map(({ key }) => key));

type Shared = Pick<UserDatabase, 'name' | 'isEnded' | 'space' | 'onEnd'>;

/**
 * Only the leading tab has a stream. On a full disk, where received messages cannot be stored, it
 * sends them to the other tabs, which show them too.
 */
export const shareHeld = (db: Shared): void => {
  if (db.isEnded) return;
  const { space } = db;
  const channel = new BroadcastChannel(db.name);
  /** The state that the other tabs have received. */
  let published: Pick<SpaceView, 'isFull' | 'held'> = { isFull: false, held: [] };
  const notify = (): void => {
    const { isFull, held, isCut } = space.view;
    const [before, now] = [toKeys(published.held), toKeys(held)];
    const added = held.filter(({ key }) => !before.has(key));
    // Beyond the limit the oldest rows are dropped, not stored.
    const oldest = isCut && added.length > 0 ? held[0]?.timetoken : undefined;
    const stored = published.held
      .filter(({ key, timetoken }) => !now.has(key) && timetoken >= (oldest ?? timetoken))
      .map(({ key }) => key);
    const isNew = (isFull && !published.isFull) || added.length > 0 || stored.length > 0;
    published = space.view;
    // The end of the store clears the view of this tab only.
    if (isNew && !db.isEnded) channel.postMessage({ isFull, added, stored } satisfies HeldUpdate);
  };
  let stop = space.watch(notify);
  /** Shows another tab's rows without sending them again. */
  const take = (show: () => void): void => {
    stop();
    show();
    published = space.view;
    stop = space.watch(notify);
  };
  const takeUpdate = async ({ isFull, added, stored }: HeldUpdate): Promise<void> => {
    if (added.length > 0) take(() => hold(db, added));
    if (isFull) take(() => void space.refuse());
    if (stored.length === 0) return;
    // If another tab stored them, there is space again; the rows stay until they can be read.
    if (space.view.isFull) await space.retry();
    if (!space.view.isClosed) take(() => release(space, new Set(stored)));
  };
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isUpdate(data)) void takeUpdate(toUpdate(data));
    const { isFull, held } = space.view;
    if (data === QUESTION && isFull) channel.postMessage({ isFull, added: held, stored: [] });
  });
  db.onEnd(() => {
    stop();
    channel.close();
  });
  // The store has been in use while this part loaded.
  notify();
  channel.postMessage(QUESTION);
};
