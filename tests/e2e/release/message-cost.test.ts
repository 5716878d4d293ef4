import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import {
  type Cost,
  countWork,
  findHotFunction,
  measureCosts,
} from '#tests/support/page/message-cost.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { waitForReading } from '#tests/support/page/unread.ts';
import { type FaultyServer, startFaultyServer } from '#tests/support/scenes/faulty-server.ts';

const ROOM = 'chat.c_002.general';
const PATH = '/chat/c_002/general';
/** More than are counted, so that the unread number on the screen stays the same. */
const UNREAD = 150;
const LOADED = 5000;
/** Number of messages; the cheapest one counts. */
const SAMPLES = 12;
/** So many that none of them exceeds the rate of one user. */
const SENDERS = 100;
/**
 * The amount of work that shares a commit varies; this is more than a message ever needs, and far
 * less than anything that grows with the rows. Processor time is a multiple of the time for a fixed
 * amount of work on this machine. A message needs up to half as much again beside busy processes;
 * the limit is above that, and a loop of some 60 ms exceeds it.
 */
const WORK_MAX = {
  received: { rows: 10, commits: 20, elements: 40, processor: 2.3 },
  typed: { rows: 5, commits: 5, elements: 5, processor: 1.2 },
  sent: { rows: 50, commits: 50, elements: 80, processor: 6 },
} as const;

/**
 * No function of the page has more than this share of the profiler's samples of its scripts. The
 * greatest was 0.19; with a loop of 30 ms in an append it is 0.33 and more.
 */
const SHARE_MAX = 0.3;

let backend: FaultyServer;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  backend = await startFaultyServer();
  user = await createUser(backend.server);
  await user.page().addInitScript(countWork);
  // The window has no focus, so that new messages stay unread.
  await user.page().addInitScript(() => {
    document.hasFocus = () => false;
  });
  room = toRoomPage(user.page());
});
afterAll(async () => {
  await user.dispose();
  await backend.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

/** Writes messages of many users at once, and the last one when all others are in the log. */
const fill = async (count: number, last: string): Promise<void> => {
  const writeSome = async (sender: number): Promise<void> => {
    const publisher = `u_${sender}`;
    for (let n = sender; n < count - 1; n += SENDERS) {
      await backend.writeAs({ publisher, clientName: publisher }, ROOM, `Line ${n} of ${last}`);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, sender) => writeSome(sender)));
  await backend.write(ROOM, [last]);
};

const receiveSome = (name: string): Promise<Readonly<Record<'received', Cost>>> =>
  measureCosts(user.page(), SAMPLES, {
    received: async (n) => {
      await backend.write(ROOM, [`${name}: received ${n}.`]);
      await room.message(`${name}: received ${n}.`).waitFor();
    },
  });

/** The cost of typing a line, and of Enter until the message is sent. */
const sendSome = (name: string): Promise<Readonly<Record<'typed' | 'sent', Cost>>> => {
  const toText = (n: number): string => `${name}: sent ${n}.`;
  return measureCosts(user.page(), SAMPLES, {
    typed: (n) => room.composer.fill(toText(n)),
    sent: async (n) => {
      await room.composer.press('Enter');
      await room.region.locator('[data-state="sent"]', { hasText: toText(n) }).waitFor();
    },
  });
};

test('a message costs as much with 25 and with 5,000 rows loaded and unread', async () => {
  // Thousands of messages at once may delay a heartbeat beyond its limit.
  user.problems.allow(/TASK_TIMED_OUT/);
  await user.signIn(PRODUCER, '/chat/c_001/team');
  // Earlier messages count as read.
  await waitForReading(user.page(), PRODUCER.uid);
  await fill(UNREAD, 'the few');
  await expect.poll(() => user.page().title()).toMatch(/^\(99\+\) /);
  // Only the newest page is loaded.
  await user.visit(PATH);
  await room.message('the few').last().waitFor();
  const few = { ...(await receiveSome('Few')), ...(await sendSome('Few')) };
  await fill(LOADED, 'the many');
  await room.message('the many').last().waitFor();
  const many = { ...(await receiveSome('Many')), ...(await sendSome('Many')) };
  const hot = {
    received: await findHotFunction(user.page(), () => receiveSome('Profiled')),
    sent: await findHotFunction(user.page(), () => sendSome('Profiled')),
  };
  console.info(JSON.stringify({ few, many, hot }));
  for (const { name, share } of Object.values(hot)) {
    expect(share, `share of ${name}`).toBeLessThan(SHARE_MAX);
  }
  for (const cost of [few, many]) {
    for (const kind of ['received', 'typed', 'sent'] as const) {
      const { processor, ...counted } = WORK_MAX[kind];
      for (const what of ['rows', 'commits', 'elements'] as const) {
        expect(cost[kind][what], `${kind} ${what}`).toBeLessThanOrEqual(counted[what]);
        // Typed text is written without a read, and adds no element.
        if (kind === 'typed' && what !== 'commits') continue;
        expect(cost[kind][what], `${kind} ${what}`).toBeGreaterThan(0);
      }
      expect(cost[kind].processor, `${kind}: processor`).toBeLessThan(processor);
    }
  }
});
