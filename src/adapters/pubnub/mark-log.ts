import type { AppError } from '#domain/errors.ts';
import { createListeners } from '#domain/listeners.ts';
import type { MarkLog } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { findOwnChannel, findStaffChannel } from '#domain/rules/subscription.ts';
import type { MarkEntry, MarkLogName } from '#domain/schemas/mark-log.ts';
import type { RealtimeToken } from '#domain/schemas/realtime.ts';
import { parseTimetoken } from '#domain/timetoken.ts';

import type { PubnubAccess } from './access.ts';
import { type ReadPage, type SdkEntry, sortEntries } from './page.ts';
import { publishTo } from './publish.ts';

/** Finds the channel of a log, for the user of a token. */
type FindChannel = (template: string, uid: string) => string | undefined;

const FINDS: Readonly<Record<MarkLogName, FindChannel>> = {
  own: findOwnChannel,
  staff: findStaffChannel,
};

/** The answer of a server to a request for something that does not exist. */
const toNone = (name: MarkLogName): AppError => ({
  kind: 'rejected',
  status: 404,
  text: `Your account has no ${name === 'own' ? 'user' : name} log`,
});

/** Undefined for a message that is not a `{payload}`. */
const toEntry = ({ timetoken, message }: SdkEntry): MarkEntry | undefined => {
  const place = parseTimetoken(timetoken);
  return place !== undefined &&
    typeof message === 'object' &&
    message !== null &&
    'payload' in message
    ? { timetoken: place, payload: message.payload }
    : undefined;
};

/** The user log or the staff log, and the parts that its stream needs. */
export interface HostedLog {
  readonly log: MarkLog;
  /** Its channel if the token covers it. */
  readonly findGranted: (token: RealtimeToken) => string | undefined;
  /** Calls the listeners with the messages that arrived. */
  readonly notify: (messages: readonly SdkEntry[]) => void;
}

export interface MarkLogNeeds {
  readonly access: PubnubAccess;
  readonly readPage: ReadPage;
  readonly template: string;
}

/**
 * A channel with messages `{id, payload}`; a page omits all others, so that a full page may be
 * empty.
 */
export const createMarkLog = (
  { access, readPage, template }: MarkLogNeeds,
  name: MarkLogName,
): HostedLog => {
  const listeners = createListeners<[readonly MarkEntry[]]>();
  const findGranted: HostedLog['findGranted'] = ({ uid, channels }) => {
    const channel = uid === undefined ? undefined : FINDS[name](template, uid);
    return channel !== undefined && channels?.includes(channel) ? channel : undefined;
  };
  const findChannel = async (): Promise<Result<string, AppError>> => {
    const grant = await access.getGrant();
    if (!grant.ok) return grant;
    const { uid, channels } = grant.value;
    if (uid === undefined || channels === undefined) {
      return fail({ kind: 'malformed', detail: 'token' });
    }
    const channel = findGranted(grant.value);
    return channel === undefined ? fail(toNone(name)) : ok(channel);
  };
  const log: MarkLog = {
    publish: async (id, payload, cancel) => {
      const channel = await findChannel();
      return channel.ok ? publishTo(access, channel.value, { id, payload }, cancel) : channel;
    },
    read: async (query, cancel) => {
      const channel = await findChannel();
      if (!channel.ok) return channel;
      const page = await readPage(channel.value, query, cancel);
      if (!page.ok) return page;
      const { found, full } = page.value;
      return ok({ entries: sortEntries(found.flatMap((entry) => toEntry(entry) ?? [])), full });
    },
    // One function may watch twice.
    watch: (listener) => listeners.add((entries) => listener(entries)),
  };
  return {
    log,
    findGranted,
    notify: (messages) => {
      listeners.emit(sortEntries(messages.flatMap((message) => toEntry(message) ?? [])));
    },
  };
};
