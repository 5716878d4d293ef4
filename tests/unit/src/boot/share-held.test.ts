import { afterEach, expect, test } from 'vitest';

import { hold, release } from '#db/schema/held.ts';
import { Space } from '#db/schema/space.ts';
import { HELD_MESSAGES_MAX } from '#domain/limits.ts';
import { toReceivedRow } from '#domain/project/received.ts';
import { shareHeld } from '#src/boot/share-held.ts';
import { at, received } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

const FIRST = toReceivedRow(received(at(1)));
const SECOND = toReceivedRow(received(at(2)));

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A tab with one user's store open, whose disk the test fills. */
const openTab = (
  name = 'replay-desk-user-u_me',
  prepare = (_db: Parameters<typeof hold>[0]): void => undefined,
) => {
  const space = new Space();
  const listeners: (() => void)[] = [];
  const db = {
    name,
    space,
    isEnded: false,
    onEnd: (listener: () => void) => {
      listeners.push(listener);
      return () => undefined;
    },
  };
  const end = (): void => {
    db.isEnded = true;
    for (const listener of listeners.splice(0)) listener();
  };
  ends.push(end);
  prepare(db);
  shareHeld(db);
  return { db, space, end, held: () => space.view.held };
};

/** Waits until everything posted so far has arrived: the last message arrives last. */
const settled = async (...tabs: readonly ReturnType<typeof openTab>[]): Promise<void> => {
  const last = { ...FIRST, key: `last ${Math.random()}` };
  for (const { db } of tabs.slice(0, 1)) hold(db, [last]);
  for (const { held } of tabs) await untilPasses(() => expect(held()).toContainEqual(last));
};

test('rows that one tab holds on a full disk are shown by another, until they are stored', async () => {
  const [leading, other] = [openTab(), openTab()];
  leading.space.show({ isFull: true });
  await untilPasses(() => expect(other.space.view.isFull).toBe(true));
  hold(leading.db, [FIRST]);
  hold(leading.db, [SECOND]);
  await untilPasses(() => expect(other.held()).toEqual([FIRST, SECOND]));
  leading.space.show({ isFull: false });
  release(leading.space, new Set([FIRST.key]));
  await untilPasses(() => expect(other.held()).toEqual([SECOND]));
  expect(leading.held()).toEqual([SECOND]);
});

test('rows that were dropped over the limit are not reported as stored', async () => {
  const [leading, other] = [openTab(), openTab()];
  const rows = Array.from({ length: HELD_MESSAGES_MAX }, (_, n) => toReceivedRow(received(at(n))));
  hold(leading.db, rows);
  await untilPasses(() => expect(other.held()).toHaveLength(HELD_MESSAGES_MAX));
  const channel = new BroadcastChannel(leading.db.name);
  ends.push(() => channel.close());
  const stored: unknown[] = [];
  channel.addEventListener('message', ({ data }: MessageEvent<{ readonly stored: unknown }>) => {
    stored.push(data.stored);
  });
  hold(leading.db, [toReceivedRow(received(at(HELD_MESSAGES_MAX)))]);
  await untilPasses(() => expect(stored).toEqual([[]]));
});

test('rows that a tab holds before it shares them are shown by another', async () => {
  const other = openTab();
  const leading = openTab('replay-desk-user-u_me', (db) => {
    db.space.show({ isFull: true });
    hold(db, [FIRST]);
  });
  await untilPasses(() => expect(other.held()).toEqual([FIRST]));
  expect(leading.held()).toEqual([FIRST]);
});

test('a tab that opens later gets the held rows of the others', async () => {
  const leading = openTab();
  leading.space.show({ isFull: true });
  hold(leading.db, [FIRST]);
  const late = openTab();
  await untilPasses(() => expect(late.held()).toEqual([FIRST]));
});

test('nothing is sent to the tabs of another user, and closing a store removes nothing', async () => {
  const [leading, other, stranger] = [openTab(), openTab(), openTab('replay-desk-user-u_other')];
  hold(leading.db, [FIRST]);
  await settled(leading, other);
  leading.end();
  leading.space.show({ held: [] });
  const third = openTab();
  hold(third.db, [SECOND]);
  await untilPasses(() => expect(other.held()).toContainEqual(SECOND));
  expect(other.held()).toContainEqual(FIRST);
  expect(stranger.held()).toEqual([]);
});

test('messages of another build in another shape are dropped', async () => {
  const tab = openTab();
  const other = new BroadcastChannel('replay-desk-user-u_me');
  ends.push(() => other.close());
  const odd = [null, 'full', { added: 1, stored: 2 }, { added: [{ key: 1 }, SECOND], stored: [3] }];
  for (const message of odd) other.postMessage(message);
  await untilPasses(() => expect(tab.held()).toEqual([SECOND]));
});

test('rows stored step by step after the limit was exceeded are released in the other tabs', async () => {
  const [leading, other] = [openTab(), openTab()];
  const count = HELD_MESSAGES_MAX + 1;
  hold(
    leading.db,
    Array.from({ length: count }, (_, n) => toReceivedRow(received(at(n)))),
  );
  await untilPasses(() => expect(other.held()).toHaveLength(HELD_MESSAGES_MAX));
  const keys = leading.held().map(({ key }) => key);
  release(leading.space, new Set(keys.slice(0, 600)));
  release(leading.space, new Set(keys));
  await settled(leading, other);
  expect(other.held()).toHaveLength(1);
});
