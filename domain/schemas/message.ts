import * as z from 'zod/mini';

import type { Fact } from '../events.ts';
import type { RoomKey } from '../rooms.ts';
import type { Timetoken } from '../timetoken.ts';

/**
 * The payload on the wire. The service's other apps read the first three fields; `id` is ours,
 * a UUIDv7 created once when the message is accepted.
 */
export interface WirePayload {
  readonly text: string;
  readonly clientName: string;
  readonly clientAvatar: string;
  readonly id: string;
}

/** The hardcoded sender name of outgoing messages (spec §5); the avatar is empty. */
export const OUTGOING_CLIENT_NAME = 'Replay Desk';
export const OUTGOING_CLIENT_AVATAR = '';

/** A user's own message as it goes over the wire (spec §5: fixed name, empty avatar). */
export const toPayload = (id: string, text: string): WirePayload => ({
  text,
  clientName: OUTGOING_CLIENT_NAME,
  clientAvatar: OUTGOING_CLIENT_AVATAR,
  id,
});

const RAW_LENGTH_MAX = 2000;

const incomingSchema = z.object({
  text: z.string(),
  clientName: z.catch(z.string(), ''),
  clientAvatar: z.catch(z.string(), ''),
  id: z.catch(
    z.optional(
      z.string().check(
        z.minLength(1),
        z.maxLength(128),
        z.refine((id) => id.isWellFormed()),
      ),
    ),
    undefined,
  ),
});

/** Clipped JSON of any payload; a description if it is nested too deeply for `JSON.stringify`. */
const toRaw = (message: unknown): string => {
  try {
    return (JSON.stringify(message) ?? '').slice(0, RAW_LENGTH_MAX).toWellFormed();
  } catch {
    return 'nested too deeply';
  }
};

/** One entry of a room's log as the engine states it; `message` is untrusted. */
export interface LogEntry {
  readonly room: RoomKey;
  readonly timetoken: Timetoken;
  readonly publisher: string;
  readonly message: unknown;
}

export type IncomingMessage =
  | {
      readonly kind: 'message';
      readonly text: string;
      readonly clientName: string;
      readonly clientAvatar: string;
      readonly id: string | undefined;
    }
  | { readonly kind: 'unreadable'; readonly raw: string };

/**
 * Reads a message of any app: a plain string becomes the text, missing or invalid optional
 * fields become empty, and anything without a text is unreadable and stored as clipped JSON.
 */
export const parseIncoming = (message: unknown): IncomingMessage => {
  if (typeof message === 'string') {
    const text = message.toWellFormed();
    return { kind: 'message', text, clientName: '', clientAvatar: '', id: undefined };
  }
  const parsed = incomingSchema.safeParse(message);
  if (!parsed.success) return { kind: 'unreadable', raw: toRaw(message) };
  const { text, clientName, clientAvatar, id } = parsed.data;
  return {
    kind: 'message',
    text: text.toWellFormed(),
    clientName: clientName.toWellFormed(),
    clientAvatar: clientAvatar.toWellFormed(),
    id,
  };
};

/** An entry of a room's log as a fact; anything without a text is an unreadable one. */
export const toFact = (entry: LogEntry, via: 'live' | 'history'): Fact => {
  const { room, timetoken, publisher } = entry;
  const incoming = parseIncoming(entry.message);
  if (incoming.kind === 'unreadable') {
    const { raw } = incoming;
    return { type: 'v1.UnreadableReceived', room, timetoken, publisher, raw, via };
  }
  const { id, text, clientName, clientAvatar } = incoming;
  return {
    type: 'v1.MessageReceived',
    room,
    timetoken,
    publisher,
    ...(id === undefined ? {} : { id }),
    text,
    clientName,
    clientAvatar,
    via,
  };
};

/** UTF-8 bytes of text without lone surrogates. */
const toUtf8Bytes = (text: string): number => {
  let bytes = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x8_00) bytes += 2;
    // Each half of a pair counts two of the pair's four bytes.
    else if (unit >= 0xd8_00 && unit <= 0xdf_ff) bytes += 2;
    else bytes += 3;
  }
  return bytes;
};

/**
 * Size of a message as published: UTF-8 bytes of its JSON, envelope included. Compare with
 * MESSAGE_BYTES_MAX. JSON escapes lone surrogates, so none has to be counted.
 */
export const toMessageBytes = (message: object): number => toUtf8Bytes(JSON.stringify(message));
