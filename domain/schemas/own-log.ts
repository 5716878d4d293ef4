import * as z from 'zod/mini';

import { isRoomKey, type RoomKey } from '../rooms.ts';
import { isTimetoken, type Timetoken, timetokenSchema } from '../timetoken.ts';
import type { MarkEntry } from './mark-log.ts';

/**
 * A user's own log: what the user's devices tell each other. Only they read and write it. An entry
 * never takes anything back, so that entries may be read in any order and repeatedly.
 */
export interface OwnPayload {
  readonly v: typeof OWN_LOG_VERSION;
  /** By room, up to where the user read it on some device. */
  readonly reads: Readonly<Record<RoomKey, Timetoken>>;
  /** Where reading began on the user's first device: earlier messages count as read. */
  readonly began?: Timetoken;
  /** One of the parts that repeat everything: with all of them, older entries add nothing. */
  readonly snapshot?: { readonly id: string; readonly part: number; readonly of: number };
}

export const OWN_LOG_VERSION = 1;

/** Rooms in one entry: with the longest ids 25,000 of the 32,768 bytes that an engine accepts. */
export const OWN_ROOMS_MAX = 250;

const ID_LENGTH_MAX = 64;
const PARTS_MAX = 100;

type Snapshot = NonNullable<OwnPayload['snapshot']>;

const isSnapshot = (value: unknown): value is Snapshot => {
  const { id, part, of } = { ...(value as Partial<Record<keyof Snapshot, unknown>>) };
  if (typeof id !== 'string' || id === '' || id.length > ID_LENGTH_MAX) return false;
  if (!Number.isInteger(part) || !Number.isInteger(of)) return false;
  return Number(part) >= 0 && Number(part) < Number(of) && Number(of) <= PARTS_MAX;
};

const payloadSchema = z.object({
  v: z.literal(OWN_LOG_VERSION),
  reads: z.record(z.string(), z.unknown()),
  began: z.catch(z.optional(timetokenSchema), undefined),
  snapshot: z.catch(z.optional(z.custom<Snapshot>(isSnapshot)), undefined),
});

/**
 * Reads an entry. Nobody read what was not yet written: positions after the entry itself, and
 * whatever is no position of a room, are left out. Undefined for entries of another version or shape.
 */
export const parseOwnEntry = ({ timetoken, payload }: MarkEntry): OwnPayload | undefined => {
  const parsed = payloadSchema.safeParse(payload);
  if (!parsed.success) return undefined;
  const { reads, began, snapshot } = parsed.data;
  const kept: Record<RoomKey, Timetoken> = {};
  for (const [room, upTo] of Object.entries(reads)) {
    if (isRoomKey(room) && isTimetoken(upTo) && upTo <= timetoken) kept[room] = upTo;
  }
  return {
    v: OWN_LOG_VERSION,
    reads: kept,
    ...(began !== undefined && began <= timetoken && { began }),
    ...(snapshot !== undefined && { snapshot }),
  };
};
