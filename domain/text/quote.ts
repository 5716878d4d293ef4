import type { MessageRow } from '../project/rows.ts';
import { MESSAGE_PARAM } from '../queries.ts';
import { type RoomKey, toRoomKey } from '../rooms.ts';
import { findChatIds, parseChatPlace } from '../routes.ts';
import { type People, toSender, toSenderLabel } from '../rules/sender.ts';
import { parseTimetoken, type Timetoken, toEpochMs } from '../timetoken.ts';
import { toIso, toMomentLabel } from './date-label.ts';
import { splitLinks, type ToAsciiHost } from './links.ts';
import { toMessagePreview } from './preview.ts';

const MARKER = `?${MESSAGE_PARAM}=`;

/** The maximum number of linked messages that are quoted below a text. */
const QUOTES_MAX = 3;

/** A message by its room and its position there. */
export interface MessagePlace {
  readonly room: RoomKey;
  readonly at: Timetoken;
}

/**
 * The message that `{origin}/chat/{cid}/{rid}?m={timetoken}` names; undefined for anything else,
 * also on another origin.
 */
export const parseMessageUrl = (url: string, origin: string): MessagePlace | undefined => {
  const start = url.indexOf(MARKER);
  if (start === -1 || !url.startsWith(`${origin}/`)) return undefined;
  const ids = findChatIds(url.slice(origin.length, start));
  const place = ids && parseChatPlace(ids);
  const at = parseTimetoken(url.slice(start + MARKER.length));
  if (place?.kind !== 'room' || at === undefined) return undefined;
  return { room: toRoomKey(place.clientId, place.roomId), at };
};

/** The messages to which a text links, each once, in order; at most as many as are quoted. */
export const listQuoted = (
  text: string,
  origin: string,
  toAsciiHost: ToAsciiHost,
): readonly MessagePlace[] => {
  const found = new Map<string, MessagePlace>();
  // Few texts contain one.
  if (!text.includes(MARKER)) return [];
  for (const { link } of splitLinks(text, toAsciiHost)) {
    const place = link && parseMessageUrl(link.href, origin);
    if (place !== undefined) found.set(`${place.room}|${place.at}`, place);
    if (found.size === QUOTES_MAX) break;
  }
  return [...found.values()];
};

/** A message as it is quoted below another one. */
export interface Quote {
  readonly author: string;
  /** "Today at 3:12 PM", "Last Friday, 3:12 PM" */
  readonly time: string;
  /** For machines: ISO 8601. */
  readonly iso: string;
  /** In one line. */
  readonly text: string;
}

/** The quote of a message; undefined for an unreadable one. `now` in ms since the epoch. */
export const toQuote = (row: MessageRow, people: People, now: number): Quote | undefined => {
  if (row.kind !== 'message') return undefined;
  const at = toEpochMs(row.timetoken);
  return {
    author: toSenderLabel(toSender(row, people)),
    time: toMomentLabel(at, now),
    iso: toIso(at),
    text: toMessagePreview(row, people).text,
  };
};
