import { parseChannel, type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import { fail, ok, type Result } from '#domain/result.ts';

import type { Scope } from './log/reader.ts';
import type { Bearer } from './token.ts';

/** A refusal as sent over the wire. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 410 | 413 | 429 | 503;
  readonly text: string;
  /** Sent as `Retry-After`, in whole seconds. */
  readonly retryAfterMs?: number;
}

/** The name under which a token's holder publishes: the uid, or `client:{client id}`. */
export const toPublisher = (bearer: Bearer): string =>
  bearer.kind === 'staff' ? bearer.uid : `client:${bearer.clientId}`;

/** The rooms that a token's holder may read. */
export const toScope = (bearer: Bearer): Scope =>
  bearer.kind === 'staff' ? { kind: 'all' } : { kind: 'client', clientId: bearer.clientId };

/** The room of a channel if the holder may use it: staff all rooms, a client only its own. */
export const findRoom = (
  bearer: Bearer,
  channel: string,
  template: string,
): Result<RoomKey, Refusal> => {
  const room = parseChannel(template, channel);
  if (room === undefined) return fail({ status: 400, text: 'This is not the channel of a room.' });
  if (bearer.kind === 'client' && splitRoomKey(room).clientId !== bearer.clientId) {
    return fail({ status: 403, text: 'This room belongs to another client.' });
  }
  return ok(room);
};
