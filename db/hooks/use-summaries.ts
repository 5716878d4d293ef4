import { useEffect, useMemo, useState } from 'react';

import type { RoomKey } from '#domain/rooms.ts';
import { findDone, parseMarkKey } from '#domain/schemas/marks.ts';
import { type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { findLeader } from '#db/log/fence.ts';
import { listCoverage } from '#db/log/readable-tables.ts';
import { ALL_ROWS, shareQuery } from '#db/read/watch.ts';
import { openMarks, summariesOf, type Summaries } from '#db/read/summary-model.ts';
import { reportQueryFailed, withReopening } from '#db/schema/storage-errors.ts';
import { useStore } from './store-context.ts';
import { useShared } from './use-shared.ts';

/** The last message of every room; undefined while loading. */
export const useSummaries = (): Summaries | undefined => useShared(summariesOf);

/** The positions up to which rooms need no reply; undefined while loading. */
export const useDone = (): ReadonlyMap<RoomKey, Timetoken> | undefined => {
  const marks = useShared(openMarks);
  return useMemo(
    () =>
      marks &&
      new Map(
        [...marks.keys()].flatMap((key) => {
          const { kind, room } = parseMarkKey(key) ?? {};
          return kind === 'done' && room ? [[room, findDone(marks, room)] as const] : [];
        }),
      ),
    [marks],
  );
};

const isSame = (a: ReadonlySet<RoomKey>, b: ReadonlySet<RoomKey>): boolean =>
  a.size === b.size && [...a].every((room) => b.has(room));

const openKnownRooms = shareQuery<ReadonlySet<RoomKey>>(
  { coverage: ALL_ROWS, activity: [] },
  async (db, last) => {
    const [pages, active] = await Promise.all([listCoverage(db), db.activity.toArray()]);
    const stored = new Set(
      active.flatMap(({ room, newest }) => (newest > TIMETOKEN_ZERO ? room : [])),
    );
    // A catch-up also writes the pages of rooms without an entry since the last one.
    const known = pages.filter(({ room, reachedStart }) => reachedStart || stored.has(room));
    const rooms = new Set(known.map(({ room }) => room));
    return last && isSame(last, rooms) ? last : rooms;
  },
);

/** The rooms of which this device knows the newest entry, or that there is none. */
export const useKnownRooms = (): ReadonlySet<RoomKey> | undefined => useShared(openKnownRooms);

/**
 * The position up to which this browser had received everything when the component was mounted;
 * undefined while loading and before the first connection.
 */
export const useReceivedUpTo = (): Timetoken | undefined => {
  const db = useStore()?.database;
  const [upTo, setUpTo] = useState<Timetoken>();
  useEffect(() => {
    const read = async (): Promise<void> => {
      if (db === undefined) return;
      try {
        setUpTo((await withReopening(db, () => findLeader(db)))?.cursor);
      } catch (error) {
        reportQueryFailed(db, 'received', error);
      }
    };
    void read();
  }, [db]);
  return upTo;
};
