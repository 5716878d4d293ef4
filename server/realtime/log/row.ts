import { type RoomKey, toChannel } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';

/** One stored entry; `message` is the payload's JSON text. */
export interface LogRow {
  readonly room: RoomKey;
  readonly timetoken: Timetoken;
  readonly publisher: string;
  readonly message: string;
}

/** A message before it is appended; `message` is JSON text without line breaks. */
export interface Draft {
  readonly room: RoomKey;
  readonly publisher: string;
  readonly id: string;
  readonly message: string;
}

/** The JSON of `{entries: WireEntry[]}`; stored payloads are copied, not parsed again. */
export const encodeEntries = (
  template: string,
  rows: readonly LogRow[],
  rest: { readonly more?: boolean } = {},
): string => {
  const entries = rows.map(({ room, timetoken, publisher, message }) => {
    const channel = JSON.stringify(toChannel(template, room));
    return `{"channel":${channel},"timetoken":"${timetoken}","publisher":${JSON.stringify(publisher)},"message":${message}}`;
  });
  const more = rest.more === undefined ? '' : `,"more":${rest.more}`;
  return `{"entries":[${entries.join(',')}]${more}}`;
};
