import * as z from 'zod/mini';

import { type Timetoken, timetokenSchema } from '../timetoken.ts';

/** The user log, which only the user's devices use, and the staff log; also part of their paths. */
export type MarkLogName = 'own' | 'staff';

/** The payload of an entry in a log of marks: a JSON object. */
export type MarkPayload = Readonly<Record<string, unknown>>;

/** One entry of a log of marks; `payload` is untrusted. */
export interface MarkEntry {
  readonly timetoken: Timetoken;
  readonly payload: unknown;
}

/**
 * `GET /api/realtime/own?count=&bytes=&before=&after=`: entries of the user log, with the rules of
 * a room's history. `POST /api/realtime/own` with `{id, payload}` is answered like a publish to a
 * room. `/api/realtime/staff` is the same for the staff log.
 */
export const markPageAnswerSchema = z.object({
  entries: z.array(z.unknown()),
  more: z.boolean(),
});
export const markEntrySchema = z.object({ timetoken: timetokenSchema, payload: z.unknown() });

/** Characters that every engine accepts in the name of a channel. */
const UID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The channel of the user log where logs are channels; undefined for a uid that cannot be part of a
 * name. Such a user has no user log.
 */
export const toOwnChannel = (uid: string): string | undefined =>
  UID.test(uid) ? `own.${uid}` : undefined;

/** The channel of the staff log. */
export const STAFF_CHANNEL = 'staff.desk';
