import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { MarkLog, Realtime, StreamSignal } from '#domain/ports/network.ts';
import type { MarkChange, Store } from '#domain/ports/storage.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { MarkLogName } from '#domain/schemas/mark-log.ts';
import { type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { createConnectionMachine } from '#machines/connection/connection.machine.ts';
import { createLeaderMachine } from '#machines/leader/leader.machine.ts';
import { createWholeApp } from '#tests/support/machines/whole-app.ts';
import type { StreamInput } from '#machines/connection/run-stream.ts';
import { fromPromise } from 'xstate';

import { withoutChoices } from '../choices.ts';
import { type Mutation, UNBROKEN } from '../variant.ts';
import { hideMarked, ignoreMarks, showOnce } from './broken-figures.ts';

/**
 * Broken variants of the program. The invariants must catch each of them, or they are too weak.
 * Each changes one interface: the store or the engine as the machines see them, or an actor they
 * are provided with.
 */

const breakStore = (name: string, wrapStore: Mutation['wrapStore']): Mutation => ({
  ...UNBROKEN,
  name,
  wrapStore,
});

const breakRealtime = (name: string, wrapRealtime: Mutation['wrapRealtime']): Mutation => ({
  ...UNBROKEN,
  name,
  wrapRealtime,
});

/** Passes appended facts through `change`. */
const breakFacts = (
  name: string,
  change: (facts: readonly Fact[], store: Store) => readonly Fact[] | Promise<readonly Fact[]>,
) =>
  breakStore(name, (store) => ({
    ...store,
    append: async (facts, fence) => store.append(await change(facts, store), fence),
  }));

/** Treats everything from the end of a room's coverage to the newest live message as covered. */
const advanceByLive = async (facts: readonly Fact[], store: Store): Promise<readonly Fact[]> => {
  const pages: Fact[] = [];
  for (const fact of facts) {
    if (fact.type !== 'v1.MessageReceived' || fact.via !== 'live') continue;
    const { room, timetoken: to } = fact;
    const known = await store.findCoverage(room);
    const from = known.ok ? known.value?.ranges.at(-1)?.to : undefined;
    if (from === undefined || from > to) continue;
    pages.push({ type: 'v1.HistoryPageLoaded', room, from, to, reachedStart: false });
  }
  return [...facts, ...pages];
};

/** Stores the coverage in a transaction before the messages. */
const positionFirst: Mutation['wrapStore'] = (store) => ({
  ...store,
  append: async (facts, fence) => {
    const pages = facts.filter(({ type }) => type === 'v1.HistoryPageLoaded');
    const rest = facts.filter(({ type }) => type !== 'v1.HistoryPageLoaded');
    if (pages.length > 0) {
      const stored = await store.append(pages, fence);
      if (!stored.ok) return stored;
    }
    return store.append(rest, fence);
  },
});

/** Ignores the id: a message is identified by its position in the log. */
const forgetIds = (facts: readonly Fact[]): readonly Fact[] =>
  facts.map((fact) => {
    if (fact.type !== 'v1.MessageReceived') return fact;
    const { id: _id, ...rest } = fact;
    return rest;
  });

const roundToken = (timetoken: Timetoken): Timetoken =>
  Number(timetoken).toFixed(0).padStart(17, '0') as Timetoken;

const roundPages = (facts: readonly Fact[]): readonly Fact[] =>
  facts.map((fact) =>
    fact.type === 'v1.HistoryPageLoaded'
      ? { ...fact, from: roundToken(fact.from), to: roundToken(fact.to) }
      : fact,
  );

/** Deletes the outbox row when sending starts, not on the acknowledgement. */
const deleteFirst: Mutation['wrapStore'] = (store) => ({
  ...store,
  findNextQueued: async (room) => {
    const next = await store.findNextQueued(room);
    if (next.ok && next.value !== undefined) {
      await store.append([{ type: 'v1.MessageDiscarded', id: next.value.id, at: next.value.at }]);
    }
    return next;
  },
});

/** A replaced leader continues to write. */
const ignoreFence: Mutation['wrapStore'] = (store) => ({
  ...store,
  append: (facts) => store.append(facts),
  writeHeartbeat: async (fence, at, link, cursor) => {
    const written = await store.writeHeartbeat(fence, at, link, cursor);
    return !written.ok && written.error.kind === 'fenced' ? ok(undefined) : written;
  },
});

const BATCH_BELOW_FLOOD = 99;

/** Delivers large batches in parts, which hides that entries may be lost. */
const hideFloods: Mutation['wrapRealtime'] = (realtime) => ({
  ...realtime,
  openStream: (cursor, onSignal) =>
    realtime.openStream(cursor, (signal: StreamSignal) => {
      if (signal.type !== 'entries') {
        onSignal(signal);
        return;
      }
      for (let from = 0; from < signal.entries.length; from += BATCH_BELOW_FLOOD) {
        const entries = signal.entries.slice(from, from + BATCH_BELOW_FLOOD);
        onSignal({ type: 'entries', entries });
      }
    }),
});

/** A batch that may have replaced older entries does not begin another segment. */
const keepSegment: Mutation['wrapStore'] = (store) => {
  let isOpen = false;
  return {
    ...store,
    openSegment: async (fence, opening) => {
      if (isOpen) return ok(undefined);
      isOpen = true;
      return store.openSegment(fence, opening);
    },
    closeSegment: async (fence, upTo) => {
      isOpen = false;
      return store.closeSegment(fence, upTo);
    },
  };
};

/** Every retry uses a new id. */
const renewIds: Mutation['wrapRealtime'] = (realtime, { ids }) => {
  const tried = new Set<string>();
  return {
    ...realtime,
    publish: (room, payload, cancel) => {
      const id = tried.has(payload.id) ? ids.next() : payload.id;
      tried.add(payload.id);
      return realtime.publish(room, { ...payload, id }, cancel);
    },
  };
};

const TRIES_MAX = 5;

/** Gives up a message after five attempts. */
const giveUp = (realtime: Realtime): Realtime => {
  const failures = new Map<string, number>();
  return {
    ...realtime,
    publish: async (room, payload, cancel) => {
      const answer = await realtime.publish(room, payload, cancel);
      if (answer.ok) return answer;
      const count = (failures.get(payload.id) ?? 0) + 1;
      failures.set(payload.id, count);
      return count < TRIES_MAX ? answer : fail({ kind: 'rejected', status: 400 });
    },
  };
};

const breakLog = (name: string, log: MarkLogName, wrap: (engine: MarkLog) => MarkLog): Mutation =>
  breakRealtime(name, (realtime) => ({ ...realtime, [log]: wrap(realtime[log]) }));

/** After an absence only the stream delivers missed messages. */
const createWithoutCatchUp = (ports: Ports) => {
  const connection = createConnectionMachine(ports).provide({
    actors: {
      catchUp: fromPromise<Result<unknown, AppError>, StreamInput>(async () => ok(undefined)),
    },
  });
  const leader = createLeaderMachine(ports).provide({ actors: { connection } });
  return createWholeApp(ports, () => leader);
};

const breakFigures = (name: string, wrapFigures: Mutation['wrapFigures']): Mutation => ({
  ...UNBROKEN,
  name,
  wrapFigures,
});

/** Accepts marks of one kind without storing them. */
const forgetMarks = (name: string, kind: MarkChange['kind']): Mutation =>
  breakStore(name, (store) => ({
    ...store,
    recordMarks: (changes) => store.recordMarks(changes.filter((change) => change.kind !== kind)),
  }));

export const MUTATIONS: readonly Mutation[] = [
  breakFacts('live messages advance the watermark', advanceByLive),
  breakStore('position stored before the messages', positionFirst),
  breakFacts('dedupe by timetoken only', forgetIds),
  { ...UNBROKEN, name: 'no history catch-up', createApp: createWithoutCatchUp },
  breakStore('row deleted before sending', deleteFirst),
  breakRealtime('full batches are trusted', hideFloods),
  breakStore('a segment not closed by an overflow', keepSegment),
  breakRealtime('new id on retry', renewIds),
  breakRealtime('retry without lookup', (realtime) => ({ ...realtime, idempotent: true })),
  breakRealtime('retry limit 5', giveUp),
  breakFacts('watermark as Number', roundPages),
  { ...UNBROKEN, name: 'input cleared before commit', clearsEarly: true },
  breakStore('no fencing after steal', ignoreFence),
  breakLog('reads are not published', 'own', (own) => ({
    ...own,
    publish: async () => ok(TIMETOKEN_ZERO),
  })),
  breakLog('reads of other devices are not read', 'own', (own) => ({
    ...own,
    read: async () => ok({ entries: [], full: false }),
  })),
  breakLog('choices are not published', 'own', withoutChoices),
  breakLog('Done is not published', 'staff', (staff) => ({
    ...staff,
    publish: async () => ok(TIMETOKEN_ZERO),
  })),
  breakLog("colleagues' marks are not read", 'staff', (staff) => ({
    ...staff,
    read: async () => ok({ entries: [], full: false }),
  })),
  breakStore('one page counted', (store) => ({ ...store, watchUnreadGaps: () => () => undefined })),
  breakFigures('unread counted once', showOnce),
  breakFigures('messages marked as unread are not counted', hideMarked),
  breakFigures('waiting rooms ignore marks', ignoreMarks),
  forgetMarks('Done is not stored', 'done'),
  forgetMarks('reminders are not stored', 'reminder'),
];

/** A variant by name; `none` is the unchanged program. */
export const findMutation = (name: string): Mutation | undefined =>
  [UNBROKEN, ...MUTATIONS].find((mutation) => mutation.name === name);
