import type { AppError } from '#domain/errors.ts';
import type { RoomKey } from '#domain/rooms.ts';

const REFUSALS: ReadonlySet<AppError['kind']> = new Set([
  'unauthenticated',
  'forbidden',
  'limited',
  'rejected',
]);

/** The publishes of a device on a non-idempotent engine. */
export class Attempts {
  /** By room, the messages that may have arrived, according to the room's history read so far. */
  readonly #unsure = new Map<RoomKey, Set<string>>();

  /** Records a publish. The value is whether the message may have arrived before. */
  send(room: RoomKey, id: string): boolean {
    const unsure = this.#unsure.get(room) ?? new Set();
    this.#unsure.set(room, unsure);
    const isRepeat = unsure.has(id);
    unsure.add(id);
    return isRepeat;
  }

  /** The engine refused the message with an error. */
  fail(room: RoomKey, id: string, { kind }: AppError): void {
    if (REFUSALS.has(kind)) this.#unsure.get(room)?.delete(id);
  }

  /** The room's history was read. */
  look(room: RoomKey): void {
    this.#unsure.delete(room);
  }
}
