import type { Store } from '#domain/ports/storage.ts';
import { fail, ok } from '#domain/result.ts';
import { ROOM_IDS, toRoomKey } from '#domain/rooms.ts';
import { findNewReads } from '#domain/project/own-reads.ts';

import type { MemoryDatabase } from './database.ts';

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
    keepKeys: async () => {
      if (db.failure !== undefined) return fail(db.failure);
      const isNew = !db.hasKeys;
      db.hasKeys = true;
      return ok({ isNew, mark: db.mark });
    },
    hasKeys: async () => ok(db.hasKeys),
    listUnsent: async () => ok(db.items),
    hasDrafts: async (exceptTab) => ok([...db.drafting].some((tab) => tab !== exceptTab)),
    findNextQueued: async (room) =>
      db.isClosed ? fail({ kind: 'quota' }) : ok(queued().find((item) => item.room === room)),
    findCoverage: async (room) => ok(db.findCoverage(room)),
    findKnown: async () => ok(db.findKnown()),
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
    joinSegments: async (fence, hole) => {
      if (db.leader?.fence !== fence) return fail({ kind: 'fenced' });
      db.joinSegments(hole);
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
      const from = found[0];
      return ok(from === undefined ? undefined : { from, count: found.length });
    },
    watchRooms: (listener) =>
      db.watch(() =>
        listener(
          db.teams.flatMap(({ client_id }) =>
            ROOM_IDS.map((roomId) => toRoomKey(client_id, roomId)),
          ),
        ),
      ),
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
    beat: async (fence, at, link, cursor) => {
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
    listReads: async (since) => ok(db.listReads(since)),
    watchReads: (listener) => db.watch(listener),
    findOwnReads: async () => ok(db.ownReads),
    keepOwnReads: async (fence, own) => {
      if (db.failure !== undefined) return fail(db.failure);
      if (db.leader?.fence !== fence) return fail({ kind: 'fenced' });
      const elsewhere = findNewReads(own.reads, db.listReads(undefined).reads);
      db.ownReads = own;
      db.append(
        Array.from(elsewhere, ([room, timetoken]) => ({ type: 'v1.RoomRead', room, timetoken })),
      );
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
