import type { FactOf } from '#domain/events.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { fromEpochMs, type Timetoken } from '#domain/timetoken.ts';

import { toUuidV7 } from './uuid-v7.ts';

/** Builders of facts; every field of the larger ones can be overridden. */

export const ROOM = toRoomKey('c_001', 'team');
export const ME = 'u_me';

/** The n-th moment of a test's room. */
export const at = (n: number): Timetoken => fromEpochMs(1_700_000_000_000 + n);

/** The id of a message that was written at the n-th moment. */
export const idAt = (n: number): string => toUuidV7(1_700_000_000_000 + n, n);

export const queued = (
  id: string,
  over: Partial<FactOf<'v1.MessageQueued'>> = {},
): FactOf<'v1.MessageQueued'> => ({
  type: 'v1.MessageQueued',
  id,
  room: ROOM,
  text: `text of ${id}`,
  uid: ME,
  at: 1,
  ...over,
});

export const attempted = (id: string, after: Timetoken): FactOf<'v1.PublishAttempted'> => ({
  type: 'v1.PublishAttempted',
  id,
  room: ROOM,
  uid: ME,
  after,
});

export const published = (
  id: string,
  timetoken: Timetoken,
  over: Partial<FactOf<'v1.MessagePublished'>> = {},
): FactOf<'v1.MessagePublished'> => ({
  type: 'v1.MessagePublished',
  id,
  room: ROOM,
  uid: ME,
  timetoken,
  ...over,
});

export const received = (
  timetoken: Timetoken,
  over: Partial<FactOf<'v1.MessageReceived'>> = {},
): FactOf<'v1.MessageReceived'> => ({
  type: 'v1.MessageReceived',
  room: ROOM,
  timetoken,
  publisher: 'u_other',
  text: `text at ${timetoken}`,
  clientName: 'Other',
  clientAvatar: '',
  via: 'live',
  ...over,
});

export const failed = (id: string, time: number): FactOf<'v1.PublishFailed'> => ({
  type: 'v1.PublishFailed',
  id,
  room: ROOM,
  reason: 'refused',
  at: time,
});

export const retried = (id: string, time: number): FactOf<'v1.MessageRetried'> => ({
  type: 'v1.MessageRetried',
  id,
  at: time,
});

export const discarded = (id: string, time: number): FactOf<'v1.MessageDiscarded'> => ({
  type: 'v1.MessageDiscarded',
  id,
  at: time,
});

export const page = (
  from: Timetoken,
  to: Timetoken,
  reachedStart = false,
): FactOf<'v1.HistoryPageLoaded'> => ({
  type: 'v1.HistoryPageLoaded',
  room: ROOM,
  from,
  to,
  reachedStart,
});

export const roomRead = (
  timetoken: Timetoken,
  room: FactOf<'v1.RoomRead'>['room'] = ROOM,
): FactOf<'v1.RoomRead'> => ({ type: 'v1.RoomRead', room, timetoken });
