import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { MarkChange, ReadPositions, Store, UnreadPositions } from '#domain/ports/storage.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toMessageBytes, toPayload } from '#domain/schemas/message.ts';

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

/** What a full disk refused to store about reading. */
interface Refused {
  /** Of each room only the latest position. */
  facts: readonly Fact[];
  /** Positions whose facts depend on marks that could not be read. */
  positions: ReadPositions;
}

const refused = new WeakMap<Store, Refused>();

const addFacts = (known: readonly Fact[], added: readonly Fact[]): readonly Fact[] => {
  const rooms = new Set(added.flatMap((fact) => (fact.type === 'v1.RoomRead' ? fact.room : [])));
  const isReplaced = (fact: Fact): boolean => fact.type === 'v1.RoomRead' && rooms.has(fact.room);
  return [...known.filter((fact) => !isReplaced(fact)), ...added];
};

/** Stores everything that was refused; false if the disk is full again. */
const storeRefused = async (
  { clientLog }: Pick<CommandPorts, 'clientLog'>,
  store: Store,
  waiting: Refused,
): Promise<boolean> => {
  while (waiting.facts.length > 0 || waiting.positions.size > 0) {
    const { facts, positions } = waiting;
    const found = positions.size === 0 ? ok([]) : await store.findRead(positions);
    const stored = found.ok ? await store.append([...facts, ...found.value]) : found;
    if (!stored.ok && stored.error.kind === 'quota') return false;
    if (!stored.ok) clientLog.write('warn', 'READING_UNSTORED', { kind: stored.error.kind });
    waiting.facts = waiting.facts.filter((fact) => !facts.includes(fact));
    if (waiting.positions === positions) waiting.positions = new Map();
  }
  return true;
};

/** Stores once there is space; what is refused again waits for the next time. */
const storeOnceFree = (
  ports: Pick<CommandPorts, 'clientLog'>,
  store: Store,
  { facts, positions }: Refused,
): void => {
  const known = refused.get(store);
  if (known !== undefined) {
    known.facts = addFacts(known.facts, facts);
    known.positions = new Map([...known.positions, ...positions]);
    return;
  }
  const waiting: Refused = { facts, positions };
  refused.set(store, waiting);
  let isStoring = false;
  const storeAll = async (): Promise<void> => {
    isStoring = true;
    const isStored = await storeRefused(ports, store, waiting);
    isStoring = false;
    if (!isStored) return;
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
const markRead = async (
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
  if (kind !== 'quota' || [...positions.values()].includes(undefined)) return false;
  const waiting = found.ok
    ? { facts: found.value, positions: new Map() }
    : { facts: [], positions };
  storeOnceFree(ports, store, waiting);
  return false;
};

/** The user's commands on messages. */
export const createMessageCommands = (ports: CommandPorts, store: Store, uid: string) => ({
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
  markRead: (positions: ReadPositions) => markRead(ports, store, positions),
  /** Marks everything after the positions as unread, see `Store.recordUnread`. */
  markUnread: (positions: UnreadPositions) => store.recordUnread(positions),
  /** Records marks for rooms, see `Store.recordMarks`. */
  recordMarks: (changes: readonly MarkChange[]) => store.recordMarks(changes),
});
