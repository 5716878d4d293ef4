import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
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

/** Facts about reading that a full disk refused, by store. */
const refused = new WeakMap<Store, Fact[]>();

/** Appends refused facts once there is space; those refused again wait for the next time. */
const storeOnceFree = (
  { clientLog }: Pick<CommandPorts, 'clientLog'>,
  store: Store,
  facts: readonly Fact[],
): void => {
  const known = refused.get(store);
  known?.push(...facts);
  if (known !== undefined) return;
  const waiting = [...facts];
  refused.set(store, waiting);
  let isStoring = false;
  const storeAll = async (): Promise<void> => {
    isStoring = true;
    while (waiting.length > 0) {
      const some = [...waiting];
      const stored = await store.append(some);
      if (!stored.ok && stored.error.kind === 'quota') break;
      if (!stored.ok) clientLog.write('warn', 'READING_UNSTORED', { kind: stored.error.kind });
      waiting.splice(0, some.length);
    }
    isStoring = false;
    if (waiting.length > 0) return;
    refused.delete(store);
    forget();
  };
  const forget = store.watchSpace((isFull) => {
    if (!isFull && !isStoring) void storeAll();
  });
};

/**
 * Records the positions up to which rooms were read; on a full disk once there is space, if every
 * position is given. If they cannot be stored for another reason, the rooms stay unread, which is
 * logged. Resolves with whether they were stored at once.
 */
export const markRead = async (
  ports: Pick<CommandPorts, 'clientLog'>,
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
  const isKnown = ![...positions.values()].includes(undefined);
  if (found.ok && kind === 'quota' && isKnown) storeOnceFree(ports, store, found.value);
  return false;
};

/** The user's commands on messages. */
export const createDeskCommands = (ports: CommandPorts, store: Store, uid: string) => ({
  /**
   * Accepts a message into the outbox of a room: resolves with its id after the commit, or with
   * `too-large`, `quota` or `storage` if nothing was stored.
   */
  sendTo:
    (room: RoomKey) =>
    (text: string): Promise<Result<string, AppError>> =>
      accept(ports, store, uid, room, text),
  /** Queues a refused message again. */
  retry: (id: string) => store.append([{ type: 'v1.MessageRetried', id, at: ports.clock.now() }]),
  /** Deletes a message of the user that was not sent. */
  discard: (id: string) =>
    store.append([{ type: 'v1.MessageDiscarded', id, at: ports.clock.now() }]),
  /** See `markRead`. */
  markRead: (positions: ReadPositions) => markRead(ports, store, positions),
  /** Marks everything after the positions as unread, see `Store.recordUnread`. */
  markUnread: (positions: UnreadPositions) => store.recordUnread(positions),
  /** Records marks for rooms, see `Store.recordMarks`. */
  recordMarks: (changes: readonly MarkChange[]) => store.recordMarks(changes),
});
