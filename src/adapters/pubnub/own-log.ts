import type { AppError } from '#domain/errors.ts';
import type { MarkLog } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { findOwnChannel } from '#domain/rules/subscription.ts';
import type { MarkEntry } from '#domain/schemas/mark-log.ts';
import type { RealtimeToken } from '#domain/schemas/realtime.ts';
import { parseTimetoken } from '#domain/timetoken.ts';

import type { PubnubAccess } from './access.ts';
import { readPage, type SdkEntry } from './page.ts';
import { publishTo } from './publish.ts';

/** As a server answers a request for something that does not exist. */
const NONE: AppError = { kind: 'rejected', status: 404, text: 'You have no own log' };

/** The channel of the own log if the token covers it. */
export const findGrantedOwn = (
  template: string,
  { uid, channels }: RealtimeToken,
): string | undefined => {
  const channel = uid === undefined ? undefined : findOwnChannel(template, uid);
  return channel !== undefined && channels?.includes(channel) ? channel : undefined;
};

/** Undefined for a message that is no `{payload}`. */
const toEntry = ({ timetoken, message }: SdkEntry): MarkEntry | undefined => {
  const place = parseTimetoken(timetoken);
  return place !== undefined &&
    typeof message === 'object' &&
    message !== null &&
    'payload' in message
    ? { timetoken: place, payload: message.payload }
    : undefined;
};

/**
 * The own log: a channel with messages `{id, payload}`; a page leaves out all others, so that a full
 * one may be empty. `tell` calls the listeners.
 */
export const createOwnLog = (
  access: PubnubAccess,
  template: string,
): { readonly own: MarkLog; readonly tell: () => void } => {
  const listeners = new Set<() => void>();
  const findChannel = async (): Promise<Result<string, AppError>> => {
    const grant = await access.getGrant();
    if (!grant.ok) return grant;
    const { uid, channels } = grant.value;
    if (uid === undefined || channels === undefined) {
      return fail({ kind: 'malformed', detail: 'token' });
    }
    const channel = findGrantedOwn(template, grant.value);
    return channel === undefined ? fail(NONE) : ok(channel);
  };
  const own: MarkLog = {
    publish: async (id, payload, cancel) => {
      const channel = await findChannel();
      return channel.ok ? publishTo(access, channel.value, { id, payload }, cancel) : channel;
    },
    read: async (query, cancel) => {
      const channel = await findChannel();
      if (!channel.ok) return channel;
      const found = await readPage(access, channel.value, query, cancel);
      if (!found.ok) return found;
      const entries = found.value
        .flatMap((entry) => toEntry(entry) ?? [])
        .toSorted((one, other) => (one.timetoken < other.timetoken ? -1 : 1));
      return ok({ entries, full: found.value.length >= query.count });
    },
    watch: (listener) => {
      // One function may watch twice.
      const one = (): void => listener();
      listeners.add(one);
      return () => listeners.delete(one);
    },
  };
  return {
    own,
    tell: () => {
      for (const listener of listeners) listener();
    },
  };
};
