import type { Fact } from '../events.ts';
import { laterOf, TIMETOKEN_ZERO } from '../timetoken.ts';
import type { Change, ProjectionReads } from './change.ts';
import { ALL_ROOMS } from '../rooms.ts';
import type { RoomActivity } from './rows.ts';

const NOTHING: readonly Change[] = [];

/** The room whose activity a fact changes. */
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
    case 'v1.StreamOpened':
    case 'v1.StreamCovered':
    case 'v1.RoomFloored':
    case 'v1.RoomMarked':
      return undefined;
    default:
      return fact satisfies never;
  }
};

/** Both positions only rise, so that facts may arrive in any order and repeatedly. */
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
