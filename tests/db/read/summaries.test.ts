import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { rebuildProjections } from '#db/log/rebuild.ts';
import { pruneHistory } from '#db/log/retention.ts';
import { listMarks } from '#db/facts/list-marks.ts';
import { listSummaries, summariesOf } from '#db/read/summary-model.ts';
import { findNewest } from '#db/read/queries.ts';
import type { UserStore } from '#db/user/user-store.ts';
import type { Fact } from '#domain/events.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Staff } from '#domain/rules/waiting.ts';
import { arbitraryFactIn } from '#tests/property/arbitrary-facts.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, ME, published, queued, received, ROOM, roomRead } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';
import { toRuns } from '#tests/support/property-seed.ts';

import { countAnswers, countRows } from '../count-reads.ts';

const OTHER: RoomKey = 'c_002/general';
const COLLEAGUE = { uid: 'u_other', name: 'Leila Haddad' };
const UNLISTED: Staff = { uid: ME, listed: undefined };
const LISTED: Staff = { uid: ME, listed: new Set([COLLEAGUE.uid]) };
const byClient = (n: number, room = ROOM) => received(at(n), { room, publisher: 'client:c_001' });
const byColleague = (n: number) => received(at(n), { publisher: COLLEAGUE.uid });

const listAll = async ({ database }: UserStore, staff: Staff) =>
  listSummaries(database, staff, await listMarks(database));

const openModel = async (facts: readonly Fact[] = []) => {
  const device = createDevice();
  const [tab, other] = [await device.openTab(), await device.openTab()];
  await tab.append(facts);
  const model = summariesOf(tab.database);
  const equal = (staff = UNLISTED) =>
    untilPasses(async () => expect(model.get()).toEqual(await listAll(other, staff)));
  await equal();
  const waitingSince = () => model.get()?.get(ROOM)?.waitingSince;
  const close = (): void => [tab, other].forEach((one) => one.close());
  return { tab, other, model, equal, waitingSince, close };
};

/** A start lists a room once the engine has returned one of its messages. */
const KNOWN_ROOMS = [byClient(0), byClient(0, OTHER)];

/** An append of one of two tabs. */
const step = fc.tuple(
  fc.boolean(),
  fc.array(arbitraryFactIn([ROOM, OTHER]), { minLength: 1, maxLength: 6 }),
);

describe('the summaries of rooms', () => {
  afterEach(() => vi.restoreAllMocks());

  it("contain the start of a room's wait; a second message does not change it", async () => {
    const { tab, model, equal, waitingSince, close } = await openModel([byColleague(1)]);
    expect(waitingSince()).toBeUndefined();
    await tab.append([byClient(2)]);
    await untilPasses(() => expect(waitingSince()).toBe(at(2)));
    await tab.append([byClient(3), byClient(9, OTHER)]);
    await untilPasses(() => expect(model.get()?.get(ROOM)?.newest).toBe(at(3)));
    expect(waitingSince()).toBe(at(2));
    await tab.append([queued('a'), published('a', at(4))]);
    await untilPasses(() => expect(waitingSince()).toBeUndefined());
    expect(model.get()?.get(ROOM)?.last.text).toBe('text of a');
    expect(model.get()?.get(OTHER)?.waitingSince).toBe(at(9));
    await equal();
    close();
  });

  it('of a room take a few requests, however many messages wait for a reply', async () => {
    const waiting = Array.from({ length: 900 }, (_, n) => byClient(n + 2));
    const { tab, close } = await openModel([byColleague(1), ...waiting]);
    const takeAnswers = countAnswers(tab.database);
    const found = await listAll(tab, UNLISTED);
    expect(found.get(ROOM)?.waitingSince).toBe(at(2));
    expect(takeAnswers()).toBeLessThan(10);
    close();
  });

  it('follow the marks of any device: a room that is done waits again once its client writes', async () => {
    const { tab, other, equal, waitingSince, close } = await openModel([byClient(2)]);
    await other.recordMarks([{ kind: 'done', room: ROOM, value: at(2), back: false }]);
    await untilPasses(() => expect(waitingSince()).toBeUndefined());
    await tab.append([byClient(3), byClient(4)]);
    await untilPasses(() => expect(waitingSince()).toBe(at(3)));
    await tab.recordMarks([{ kind: 'done', room: ROOM, value: at(4), back: false }]);
    await untilPasses(() => expect(waitingSince()).toBeUndefined());
    await tab.recordMarks([{ kind: 'done', room: ROOM, value: at(2), back: true }]);
    await untilPasses(() => expect(waitingSince()).toBe(at(3)));
    await equal();
    close();
  });

  it('follow the staff list: a publisher who left it is no longer staff', async () => {
    const { tab, equal, waitingSince, close } = await openModel([byClient(1), byColleague(2)]);
    expect(waitingSince()).toBeUndefined();
    await tab.saveProducers([{ uid: 'u_somebody', name: 'Somebody' }], 1);
    await untilPasses(() => expect(waitingSince()).toBe(at(1)));
    await tab.saveProducers([COLLEAGUE], 2);
    await untilPasses(() => expect(waitingSince()).toBeUndefined());
    await equal(LISTED);
    // An empty list identifies nobody.
    await tab.saveProducers([], 3);
    await equal();
    close();
  });

  it('equal the stored data, after any commits of this tab and others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const { tab, other, model, equal, close } = await openModel(KNOWN_ROOMS);
        for (const [isElsewhere, facts] of steps) {
          await (isElsewhere ? other : tab).append(facts);
          await equal();
        }
        await tab.takeFence('t', 1);
        await pruneHistory(tab.database, 1, 1_700_000_000_000);
        await rebuildProjections(other.database);
        await equal();
        expect(model.get()).toEqual(await listAll(tab, UNLISTED));
        close();
      }),
      { numRuns: toRuns(25) },
    );
  });

  it('equal the stored data, after commits of this tab and others at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        const { tab, other, model, equal, close } = await openModel();
        // The rooms may appear while they are read.
        await Promise.all([
          tab.append(KNOWN_ROOMS),
          ...steps.map(([isElsewhere, facts]) => (isElsewhere ? other : tab).append(facts)),
        ]);
        await equal();
        expect(model.get()).toEqual(await listAll(other, UNLISTED));
        close();
      }),
      { numRuns: toRuns(25) },
    );
  });

  it.each([10, 1000])(
    'read one row per message of another tab after %d messages that wait',
    async (count) => {
      const many = Array.from({ length: count }, (_, n) => byClient(n + 1));
      const { tab, other, model, waitingSince, close } = await openModel(many);
      expect(waitingSince()).toBe(at(1));
      const rows = countRows(tab.database);
      await tab.append([byClient(count + 1)]);
      await untilPasses(() => expect(model.get()?.get(ROOM)?.newest).toBe(at(count + 1)));
      await tab.append([roomRead(at(count + 1))]);
      // Writes of this page to a known room are applied without a read.
      expect(rows()).toBe(0);
      await other.append([byColleague(count + 2)]);
      await untilPasses(() => expect(waitingSince()).toBeUndefined());
      expect(rows()).toBe(1);
      close();
    },
  );

  it('order the clients as their activity does', async () => {
    const { tab, close } = await openModel([byClient(3), byClient(9, OTHER), roomRead(at(12))]);
    await tab.append([byClient(7, 'c_001/producers')]);
    const newest = await findNewest(tab.database);
    expect(Object.fromEntries(newest)).toEqual({ c_001: at(7), c_002: at(9) });
    close();
  });
});
