import type { Fact } from '../events.ts';
import { laterOf, TIMETOKEN_ZERO } from '../timetoken.ts';
import type { Change, ProjectionReads } from './change.ts';
import { ALL_ROOMS } from '../rooms.ts';
import type { RoomActivity } from './rows.ts';

const NOTHING: readonly Change[] = [];

/** The room whose activity a fact changes: what was received there, or read. */
export const toActivityRoom = (fact: Fact): RoomActivity['room'] | undefined => {
  if (fact.type === 'v1.ReadingBegan') return ALL_ROOMS;
  return 'publisher' in fact || fact.type === 'v1.RoomRead' ? fact.room : undefined;
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
