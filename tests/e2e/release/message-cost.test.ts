import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import {
  countBlocks,
  countWork,
  measureBurst,
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
 * less than anything that grows with the rows. `blocks` are executed functions, branches and bodies
 * of loops: unlike a time, their number does not depend on the machine. A loop of the page's own that
 * runs for 30 ms exceeds it; a function of the browser counts as one block, however long it takes.
 */
const WORK_MAX = {
  received: { rows: 10, commits: 9, elements: 40, blocks: 170_000 },
  typed: { rows: 5, commits: 5, elements: 5, blocks: 20_000 },
  sent: { rows: 50, commits: 24, elements: 80, blocks: 400_000 },
} as const;

/** Blocks of a message for each loaded row: some loops over a list, without composing the row. */
const ROW_BLOCKS_MAX = { received: 55, typed: 1, sent: 145 } as const;

/** For each message of a burst: several share a commit, and few rows are read. */
const BURST_MAX = { rows: 1, commits: 0.5, blocks: 40_000 } as const;
/** One page of messages, and the work beside it: no commit adds more, however many have arrived. */
const ELEMENTS_AT_ONCE_MAX = 800;

let backend: FaultyServer;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  backend = await startFaultyServer();
  user = await createUser(backend.server);
  await countBlocks(user.page());
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

const toActions = (name: string) => {
  const toText = (n: number): string => `${name}: sent ${n}.`;
  const received = async (n: number): Promise<void> => {
    await backend.write(ROOM, [`${name}: received ${n}.`]);
    await room.message(`${name}: received ${n}.`).waitFor();
  };
  const typed = (n: number): Promise<void> => room.composer.fill(toText(n));
  const sent = async (n: number): Promise<void> => {
    await room.composer.press('Enter');
    await room.region.locator('[data-state="sent"]', { hasText: toText(n) }).waitFor();
  };
  return { received, typed, sent };
};

const measure = (name: string) => measureCosts(user.page(), SAMPLES, toActions(name));

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
  const few = await measure('Few');
  const burst = await measureBurst(user.page(), async () => {
    await fill(LOADED, 'the many');
    await room.message('the many').last().waitFor();
  });
  const many = await measure('Many');
  console.info(JSON.stringify({ few, burst, many }));
  for (const kind of ['received', 'typed', 'sent'] as const) {
    for (const cost of [few, many]) {
      for (const what of ['rows', 'commits', 'elements'] as const) {
        expect(cost[kind][what], `${kind} ${what}`).toBeLessThanOrEqual(WORK_MAX[kind][what]);
        // Typed text is written without a read, and adds no element.
        if (kind === 'typed' && what !== 'commits') continue;
        expect(cost[kind][what], `${kind} ${what}`).toBeGreaterThan(0);
      }
    }
    const [start, end] = [few[kind].blocks, many[kind].blocks];
    expect(start, `${kind} blocks`).toBeLessThanOrEqual(WORK_MAX[kind].blocks);
    for (const count of [start, end]) expect(count, `${kind} blocks`).toBeGreaterThan(0);
    expect((end - start) / LOADED, `${kind} blocks for a row`).toBeLessThan(ROW_BLOCKS_MAX[kind]);
    expect(many[kind].commits - few[kind].commits, `${kind} commits`).toBeLessThanOrEqual(2);
  }
  for (const what of ['rows', 'commits', 'blocks'] as const) {
    expect(burst[what], `burst ${what}`).toBeGreaterThan(0);
    expect(burst[what] / LOADED, `burst ${what}`).toBeLessThanOrEqual(BURST_MAX[what]);
  }
  expect(burst.elementsAtOnce).toBeGreaterThan(0);
  expect(burst.elementsAtOnce).toBeLessThanOrEqual(ELEMENTS_AT_ONCE_MAX);
});
