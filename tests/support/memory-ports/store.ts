import type { Fact } from '#domain/events.ts';
import type { Team } from '#domain/schemas/team.ts';
import type { Store } from '#domain/ports/storage.ts';
import { fail, ok } from '#domain/result.ts';
import { ROOM_IDS, toRoomKey } from '#domain/rooms.ts';
import {
  findNewMarks,
  type Mark,
  parseMarkKey,
  toChoiceMark,
  toChoices,
  toMarkKey,
  toNextMark,
  toNextTurn,
} from '#domain/schemas/marks.ts';
import { toReadOn, toUnreadValue } from '#domain/schemas/unread-mark.ts';

import type { Timetoken } from '#domain/timetoken.ts';

import type { MemoryDatabase } from './database.ts';

const toMarkFact = (key: string, mark: Mark): Fact | undefined => {
  const about = parseMarkKey(key);
  if (about === undefined) return undefined;
  if ('subject' in about) return { type: 'v1.ChoiceMade', ...about, ...mark };
  const { kind, room } = about;
  return kind === 'read'
    ? { type: 'v1.RoomRead', room, timetoken: mark.value as Timetoken }
    : { type: 'v1.RoomMarked', kind, room, ...mark };
};

/** One tab's store on an in-memory database. */
export const openMemoryStore = (db: MemoryDatabase): Store => {
  db.open += 1;
  const queued = () => db.items.filter(({ state }) => state === 'queued');
  return {
    append: async (facts, fence) => {
      if (db.failure !== undefined) return fail(db.failure);
      if (fence !== undefined && db.leader?.fence !== fence) return fail({ kind: 'fenced' });
      return ok(db.append(facts));
    },
    watchQueuedRooms: (listener) =>
      db.watch(() => listener([...new Set(queued().map(({ room }) => room))])),
    watchSpace: (listener) => db.watch(() => listener(db.failure?.kind === 'quota')),
    saveKeys: async () => {
      if (db.failure !== undefined) return fail(db.failure);
      const isNew = !db.hasKeys;
      db.hasKeys = true;
      return ok({ isNew, flag: db.flag });
    },
    hasKeys: async () => ok(db.hasKeys),
    listUnsent: async () => ok(db.items),
    // Each tab with a draft stores one at another time.
    findOtherDrafts: async (exceptTab) =>
      ok([...db.drafting].filter((tab) => tab !== exceptTab).length || undefined),
    findNextQueued: async (room) =>
      db.isClosed ? fail({ kind: 'quota' }) : ok(queued().find((item) => item.room === room)),
    findCoverage: async (room) => ok(db.findCoverage(room)),
    findAllCoverage: async () => ok(db.findAllCoverage()),
    openSegment: async (fence, opening) => {
      if (db.failure !== undefined) return fail(db.failure);
      if (db.leader?.fence !== fence) return fail({ kind: 'fenced' });
      db.openSegment(opening);
      return ok(undefined);
    },
    closeSegment: async (fence, upTo) => {
      if (db.failure !== undefined) return fail(db.failure);
      if (db.leader?.fence !== fence) return fail({ kind: 'fenced' });
      db.closeSegment(upTo);
      return ok(undefined);
    },
    joinSegments: async (fence, gap) => {
      if (db.leader?.fence !== fence) return fail({ kind: 'fenced' });
      db.joinSegments(gap);
      return ok(undefined);
    },
    dropBefore: async (fence, room, from) => {
      if (db.leader?.fence !== fence) return fail({ kind: 'fenced' });
      db.dropBefore(room, from);
      return ok(undefined);
    },
    findOlder: async (room, count, before) => {
      const older = [...(db.positions.get(room) ?? [])].filter((place) => place < before);
      const found = older.toSorted().slice(-count);
      const [from, to] = [found[0], found.at(-1)];
      return ok(from && to && { from, to, count: found.length });
    },
    watchRooms: (listener) => {
      // Like the real store, which watches the document of the teams alone.
      let known: readonly Team[] | undefined;
      return db.watch(() => {
        if (known === db.teams) return;
        known = db.teams;
        listener(
          known.flatMap(({ client_id }) => ROOM_IDS.map((roomId) => toRoomKey(client_id, roomId))),
        );
      });
    },
    // It does not know what was read.
    findReadUpTo: async () => ok(undefined),
    // It does not count messages.
    watchUnreadGaps: () => () => undefined,
    findTeamsFetchedAt: async () => ok(db.teamsFetchedAt),
    saveTeams: async (teams, fetchedAt) => {
      if (db.failure !== undefined) return fail(db.failure);
      db.teams = teams;
      db.teamsFetchedAt = fetchedAt;
      db.changed();
      return ok(undefined);
    },
    saveProducers: async (producers) => {
      db.producers = producers;
      return ok(undefined);
    },
    takeFence: async (tabId, at) => {
      if (db.failure !== undefined) return fail(db.failure);
      const fence = (db.leader?.fence ?? 0) + 1;
      db.closeSegment();
      db.leader = { ...db.leader, fence, tabId, at, link: { kind: 'connecting' } };
      db.changed();
      return ok(fence);
    },
    writeHeartbeat: async (fence, at, link, cursor) => {
      if (db.failure !== undefined) return fail(db.failure);
      if (db.leader?.fence !== fence) return fail({ kind: 'fenced' });
      db.leader = { ...db.leader, at, link, ...(cursor && { cursor }) };
      db.changed();
      return ok(undefined);
    },
    findCursor: async () => ok(db.leader?.cursor),
    prune: async (fence) => (db.leader?.fence === fence ? ok(0) : fail({ kind: 'fenced' })),
    forgetCoverage: async (fence) => {
      if (db.leader?.fence !== fence) return fail({ kind: 'fenced' });
      db.forgetCoverage();
      return ok(undefined);
    },
    recordMarks: async (notes) => {
      if (db.failure !== undefined) return fail(db.failure);
      for (const change of notes) {
        const { kind, room } = change;
        const log = kind === 'reminder' ? 'own' : 'staff';
        const known = db.listLocalMarks(log).marks.get(toMarkKey(kind, room));
        const next = toNextMark(known, change);
        if (next !== undefined) db.append([{ type: 'v1.RoomMarked', kind, room, ...next }]);
      }
      return ok(undefined);
    },
    recordChoices: async (choose) => {
      if (db.failure !== undefined) return fail(db.failure);
      const { marks } = db.listLocalMarks('own');
      for (const [key, value] of choose(toChoices(marks))) {
        const mark = toChoiceMark(marks.get(key), value);
        const fact = mark && toMarkFact(key, mark);
        if (fact !== undefined) db.append([fact]);
      }
      return ok(undefined);
    },
    findRead: async (positions) =>
      ok(
        [...positions].flatMap(([room, position]): readonly Fact[] => {
          const timetoken = position ?? db.findNewest(room);
          const known = db.listLocalMarks('own').marks.get(toMarkKey('unread', room));
          const mark = toReadOn(known, timetoken);
          const read: Fact = { type: 'v1.RoomRead', room, timetoken };
          return mark === undefined
            ? [read]
            : [read, { type: 'v1.RoomMarked', kind: 'unread', room, ...mark }];
        }),
      ),
    recordUnread: async (positions) => {
      if (db.failure !== undefined) return fail(db.failure);
      for (const [room, { from, upTo = db.findNewest(room) }] of positions) {
        const known = db.listLocalMarks('own').marks.get(toMarkKey('unread', room));
        const mark = { turn: toNextTurn(known), value: toUnreadValue({ from, upTo }) };
        db.append([{ type: 'v1.RoomMarked', kind: 'unread', room, ...mark }]);
      }
      return ok(undefined);
    },
    listLocalMarks: async (log) => ok(db.listLocalMarks(log)),
    watchLocalMarks: (_, listener) => db.watch(listener),
    findLogState: async (log) => ok(db.findLogState(log)),
    saveLogState: async (fence, log, state) => {
      if (db.failure !== undefined) return fail(db.failure);
      if (db.leader?.fence !== fence) return fail({ kind: 'fenced' });
      const elsewhere = findNewMarks(state.marks, db.listLocalMarks(log).marks);
      db.logStates.set(log, state);
      db.append([...elsewhere].flatMap(([key, mark]) => toMarkFact(key, mark) ?? []));
      return ok(undefined);
    },
    watchLeader: (listener) => db.watch(() => listener(db.leader)),
    onLost: (listener) => {
      db.lost.add(listener);
      return () => db.lost.delete(listener);
    },
    close: () => {
      db.open -= 1;
    },
  };
};
