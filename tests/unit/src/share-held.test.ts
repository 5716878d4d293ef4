import { afterEach, expect, test } from 'vitest';

import { hold, release } from '#db/schema/held.ts';
import { HELD_MESSAGES_MAX } from '#domain/limits.ts';
import { Space } from '#db/schema/space.ts';
import { toReceivedRow } from '#domain/project/received.ts';
import { shareHeld } from '#src/boot/share-held.ts';
import { at, received } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

const FIRST = toReceivedRow(received(at(1)));
const SECOND = toReceivedRow(received(at(2)));
const THIRD = toReceivedRow(received(at(3)));

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A tab with one user's store open, whose disk the test fills. */
const openTab = (name = 'replay-desk-user-u_me', isEnded = false) => {
  const space = new Space();
  const listeners: (() => void)[] = [];
  const db = {
    name,
    space,
    isEnded,
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
  shareHeld(db);
  return { db, space, end, held: () => space.view.held };
};

/** Everything posted so far has arrived: what is posted last arrives last. */
const settled = async (...tabs: readonly ReturnType<typeof openTab>[]): Promise<void> => {
  const last = { ...FIRST, key: `last ${Math.random()}` };
  for (const { db } of tabs.slice(0, 1)) hold(db, [last]);
  for (const { held } of tabs) await untilPasses(() => expect(held()).toContainEqual(last));
};

test('what one tab holds on a full disk another one shows, until it is stored', async () => {
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

test('a tab that opens later gets what the others hold', async () => {
  const leading = openTab();
  leading.space.show({ isFull: true });
  hold(leading.db, [FIRST]);
  const late = openTab();
  await untilPasses(() => expect(late.held()).toEqual([FIRST]));
});

test('nothing goes to the tabs of another user, and the end of a store takes nothing away', async () => {
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

test('what another build of the page says in another way is left out', async () => {
  const tab = openTab();
  const other = new BroadcastChannel('replay-desk-user-u_me');
  ends.push(() => other.close());
  const odd = [null, 'full', { added: 1, stored: 2 }, { added: [{ key: 1 }, SECOND], stored: [3] }];
  for (const message of odd) other.postMessage(message);
  await untilPasses(() => expect(tab.held()).toEqual([SECOND]));
});

test('what makes way for newer messages is not told as stored', async () => {
  const [leading, other] = [openTab(), openTab()];
  hold(leading.db, [FIRST]);
  await untilPasses(() => expect(other.held()).toEqual([FIRST]));
  const newer = Array.from({ length: HELD_MESSAGES_MAX }, (_, n) =>
    toReceivedRow(received(at(n + 2))),
  );
  const told: unknown[] = [];
  const channel = new BroadcastChannel(leading.db.name);
  ends.push(() => channel.close());
  channel.addEventListener('message', ({ data }) => told.push(data));
  hold(leading.db, newer);
  await untilPasses(() => expect(told).toHaveLength(1));
  expect(told).toMatchObject([{ stored: [] }]);
});

test('what another tab stored goes once it can be read here', async () => {
  const [leading, other] = [openTab(), openTab()];
  hold(leading.db, [FIRST, SECOND]);
  await untilPasses(() => expect(other.held()).toEqual([FIRST, SECOND]));
  other.space.show({ isClosed: true });
  release(leading.space, new Set([FIRST.key]));
  hold(leading.db, [THIRD]);
  await untilPasses(() => expect(other.held()).toEqual([FIRST, SECOND, THIRD]));
  other.space.show({ isClosed: false });
  expect(other.held()).toEqual([SECOND, THIRD]);
});

test('a store that ended while its part was loaded shares nothing', async () => {
  const ended = openTab('replay-desk-user-u_me', true);
  const leading = openTab();
  const other = openTab();
  hold(leading.db, [FIRST]);
  await untilPasses(() => expect(other.held()).toEqual([FIRST]));
  expect(ended.held()).toEqual([]);
});
