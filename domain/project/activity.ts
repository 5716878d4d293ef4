import type { Fact } from '../events.ts';
import type { RoomKey } from '../rooms.ts';
import { laterOf, type Timetoken, TIMETOKEN_ZERO } from '../timetoken.ts';
import type { Change, ProjectionReads } from './change.ts';

/** Stands for every room: what is read up to there is read in all of them. */
export const ALL_ROOMS = '*';

/** What happened last in a room, and up to where it was read; from there unread is counted. */
export interface RoomActivity {
  readonly room: RoomKey | typeof ALL_ROOMS;
  /** Of the newest entry received, whoever wrote it; zero while none is known. */
  readonly newest: Timetoken;
  /** Zero while nobody read it here. */
  readonly readUpTo: Timetoken;
  /** 1 while something newer than what was read is known; a number, since indices take no boolean. */
  readonly pending: 0 | 1;
}

const NOTHING: readonly Change[] = [];

/** Whose activity a fact tells of. */
export const toActivityRoom = (fact: Fact): RoomActivity['room'] | undefined => {
  switch (fact.type) {
    case 'v1.MessageReceived':
    case 'v1.UnreadableReceived':
    case 'v1.RoomRead':
      return fact.room;
    case 'v1.ReadingBegan':
      return ALL_ROOMS;
    case 'v1.MessageQueued':
    case 'v1.MessagePublished':
    case 'v1.PublishAttempted':
    case 'v1.PublishFailed':
    case 'v1.MessageRetried':
    case 'v1.MessageDiscarded':
    case 'v1.HistoryPageLoaded':
      return undefined;
    default:
      return fact satisfies never;
  }
};

/** Both places only ever rise, so that facts may come in any order and any number of times. */
export const projectActivity = (fact: Fact, reads: ProjectionReads): readonly Change[] => {
  const room = toActivityRoom(fact);
  if (room === undefined || !('timetoken' in fact)) return NOTHING;
  const known = reads.findActivity(room);
  const before = { newest: TIMETOKEN_ZERO, readUpTo: TIMETOKEN_ZERO, ...known };
  const field =
    fact.type === 'v1.RoomRead' || fact.type === 'v1.ReadingBegan' ? 'readUpTo' : 'newest';
  if (known !== undefined && fact.timetoken <= before[field]) return NOTHING;
  const after = { ...before, room, [field]: laterOf(before[field], fact.timetoken) };
  const pending = after.newest > after.readUpTo && room !== ALL_ROOMS ? 1 : 0;
  return [{ kind: 'activity.put', activity: { ...after, pending } }];
};
