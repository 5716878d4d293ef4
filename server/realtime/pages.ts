import type { Timetoken } from '#domain/timetoken.ts';

import { PAGE_COUNT_MAX } from './limits.ts';
import { EVENT_BYTES_MAX, type Scope } from './log/reader.ts';
import { encodeEntries } from './log/row.ts';
import type { LogStore } from './log/store.ts';
import { toScopeKey } from './subscribers.ts';

/** A server-sent event as sent over the wire. */
export const toFrame = (event: string, data: string): Buffer =>
  Buffer.from(`event: ${event}\ndata: ${data}\n\n`);

/** Entries of the log as one event. */
interface Page {
  readonly frame: Buffer;
  readonly last: Timetoken;
  /** The log may contain more after it. */
  readonly more: boolean;
}

/** Reads pages of the log as events; readers with the same scope and position share one. */
export const createPages = (store: LogStore, template: string) => {
  const shared = new Map<string, Page | undefined>();
  const read = (scope: Scope, cursor: Timetoken): Page | undefined => {
    const rows = store.readAfter(scope, cursor, PAGE_COUNT_MAX);
    const last = rows.at(-1)?.timetoken;
    if (last === undefined) return undefined;
    const frame = toFrame('entries', encodeEntries(template, rows));
    const more = rows.length >= PAGE_COUNT_MAX || frame.length >= EVENT_BYTES_MAX;
    return { frame, last, more };
  };
  return {
    /** Undefined if the log contains nothing after the cursor. */
    find: (scope: Scope, cursor: Timetoken): Page | undefined => {
      const key = `${toScopeKey(scope)}|${cursor}`;
      if (!shared.has(key)) shared.set(key, read(scope, cursor));
      return shared.get(key);
    },
    /** Drops the shared pages after one round of deliveries. */
    forget: () => shared.clear(),
  };
};

export type Pages = ReturnType<typeof createPages>;
