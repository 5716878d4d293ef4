import type { AppError } from '#domain/errors.ts';
import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toMessageBytes } from '#domain/text/message-size.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { toPayload } from './to-payload.ts';

/**
 * Accepts a message into the outbox: resolves with its id after the commit, or with
 * `too-large`, `quota` or `storage` when nothing was stored.
 */
export const acceptMessage = async (
  { ids, clock }: Pick<Ports, 'ids' | 'clock'>,
  store: Store,
  uid: string,
  room: RoomKey,
  text: string,
): Promise<Result<string, AppError>> => {
  const id = ids.next();
  const wellFormed = text.toWellFormed();
  const bytes = toMessageBytes(toPayload(id, wellFormed));
  if (bytes > MESSAGE_BYTES_MAX) {
    return fail({ kind: 'too-large', bytes, limit: MESSAGE_BYTES_MAX });
  }
  const stored = await store.append([
    { type: 'v1.MessageQueued', id, room, text: wellFormed, uid, at: clock.now() },
  ]);
  return stored.ok ? ok(id) : stored;
};

/** Queues a refused message again. */
export const retryMessage = async (
  { clock }: Pick<Ports, 'clock'>,
  store: Store,
  id: string,
): Promise<Result<void, AppError>> => {
  const stored = await store.append([{ type: 'v1.MessageRetried', id, at: clock.now() }]);
  return stored.ok ? ok(undefined) : stored;
};

/** Deletes an own message that was not sent. */
export const discardMessage = async (
  { clock }: Pick<Ports, 'clock'>,
  store: Store,
  id: string,
): Promise<Result<void, AppError>> => {
  const stored = await store.append([{ type: 'v1.MessageDiscarded', id, at: clock.now() }]);
  return stored.ok ? ok(undefined) : stored;
};

/**
 * Notes that a room was read up to `timetoken`: on a full disk once there is room. What cannot be
 * stored for another reason stays unread, which is logged.
 */
export const readRoom = async (
  { clientLog }: Pick<Ports, 'clientLog'>,
  store: Store,
  room: RoomKey,
  timetoken: Timetoken,
): Promise<void> => {
  const note = () => store.append([{ type: 'v1.RoomRead', room, timetoken }]);
  const stored = await note();
  if (stored.ok) return;
  const { kind } = stored.error;
  clientLog.write('warn', 'READING_UNSTORED', { kind });
  if (kind !== 'quota') return;
  let isNoted = false;
  store.watchSpace((isFull) => {
    if (isFull || isNoted) return;
    isNoted = true;
    void note();
  });
};
