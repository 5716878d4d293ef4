import type { AppError } from '#domain/errors.ts';
import type { RoomKey } from '#domain/rooms.ts';

const REFUSALS: ReadonlySet<AppError['kind']> = new Set([
  'unauthenticated',
  'forbidden',
  'limited',
  'rejected',
]);

/** What a device has sent to an engine that stores twice what comes twice. */
export class Attempts {
  /** Per room the messages that may have arrived, for all that was read of the room since. */
  readonly #unsure = new Map<RoomKey, Set<string>>();

  /** A message is sent. The value is whether it may have arrived before. */
  send(room: RoomKey, id: string): boolean {
    const unsure = this.#unsure.get(room) ?? new Set();
    this.#unsure.set(room, unsure);
    const isRepeat = unsure.has(id);
    unsure.add(id);
    return isRepeat;
  }

  /** The engine said why it did not take the message. */
  fail(room: RoomKey, id: string, { kind }: AppError): void {
    if (REFUSALS.has(kind)) this.#unsure.get(room)?.delete(id);
  }

  /** History of the room was read. */
  look(room: RoomKey): void {
    this.#unsure.delete(room);
  }
}
