import type { AppError } from '#domain/errors.ts';
import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { MarkChange, ReadPositions, Store, UnreadPositions } from '#domain/ports/storage.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toPayload } from '#domain/schemas/message.ts';
import { toMessageBytes } from '#domain/text/message-size.ts';

type CommandPorts = Pick<Ports, 'ids' | 'clock' | 'clientLog'>;

const accept = async (
  { ids, clock }: CommandPorts,
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

const markRead = async (
  ports: CommandPorts,
  store: Store,
  positions: ReadPositions,
): Promise<boolean> => {
  const found = await store.findRead(positions);
  const stored = found.ok ? await store.append(found.value) : found;
  if (stored.ok) return true;
  const { kind } = stored.error;
  ports.clientLog.write('warn', 'READING_UNSTORED', { kind });
  // Otherwise messages that arrive before space is free would be marked as read without being
  // shown.
  if (kind !== 'quota' || [...positions.values()].includes(undefined)) return false;
  const storeAgain = (): Promise<unknown> =>
    found.ok ? store.append(found.value) : markRead(ports, store, positions);
  let isRecorded = false;
  const forget = store.watchSpace((isFull) => {
    if (isFull || isRecorded) return;
    isRecorded = true;
    void storeAgain().then(() => forget());
  });
  return false;
};

/** The user's commands on messages; without a `uid` no one is signed in. */
export const createDeskCommands = (ports: CommandPorts, store: Store, uid: string | undefined) => ({
  /**
   * Accepts a message into the outbox of a room: resolves with its id after the commit, or with
   * `too-large`, `quota` or `storage` if nothing was stored.
   */
  sendTo:
    (room: RoomKey) =>
    async (text: string): Promise<Result<string, AppError>> =>
      uid === undefined ? fail({ kind: 'unauthenticated' }) : accept(ports, store, uid, room, text),
  /** Queues a refused message again. */
  retry: (id: string) => store.append([{ type: 'v1.MessageRetried', id, at: ports.clock.now() }]),
  /** Deletes a message of the user that was not sent. */
  discard: (id: string) =>
    store.append([{ type: 'v1.MessageDiscarded', id, at: ports.clock.now() }]),
  /**
   * Records the positions up to which rooms were read; on a full disk once there is space, if every
   * position is given. If they cannot be stored for another reason, the rooms stay unread, which is
   * logged. Resolves with whether they were stored at once.
   */
  markRead: (positions: ReadPositions) => markRead(ports, store, positions),
  /** Marks everything after the positions as unread, see `Store.recordUnread`. */
  markUnread: (positions: UnreadPositions) => store.recordUnread(positions),
  /** Records marks for rooms, see `Store.recordMarks`. */
  recordMarks: (changes: readonly MarkChange[]) => store.recordMarks(changes),
});
