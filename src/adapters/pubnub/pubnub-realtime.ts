import type { ClientLog } from '#domain/ports/browser.ts';
import { HISTORY_LAG_MS } from '#domain/limits.ts';
import type { Realtime, StreamSignal } from '#domain/ports/network.ts';
import { toChannel } from '#domain/rooms.ts';
import { toSubscribedRooms } from '#domain/rules/subscription.ts';
import { type Timetoken, TIMETOKEN_ZERO, toEpochMs } from '#domain/timetoken.ts';

import { HOSTED_POLL_MS, HOSTED_PROBE_MS, HOSTED_STALL_MS } from '../realtime/limits.ts';
import { PubnubAccess, type PubnubAccessNeeds } from './access.ts';
import { PubnubHistory } from './history.ts';
import { createMarkLog } from './mark-log.ts';
import { createPageReader, sortEntries } from './page.ts';
import { publishTo } from './publish.ts';
import { provideFetch } from './sdk.ts';
import { PubnubStream, type PubnubStreamNeeds } from './stream.ts';
import type { SdkMessage } from './subscribe-session.ts';
import { createBufferedFetch } from './buffered-fetch.ts';
import { createEntryReader } from '../realtime/entries.ts';

export interface PubnubRealtimeNeeds extends PubnubAccessNeeds {
  readonly log: ClientLog;
  /** ms; the defaults if absent */
  readonly limits?: {
    readonly pollMs: number;
    readonly probeMs: number;
    readonly stallMs: number;
  };
}

/** Whether a stream without a cursor begins here although the log reaches up to `cursor`. */
const isBeginning = (at: Timetoken, cursor: Timetoken): boolean =>
  at === TIMETOKEN_ZERO || (at < cursor && toEpochMs(cursor) - toEpochMs(at) <= HISTORY_LAG_MS);

/**
 * A stream without a cursor has no position before its first answer, and begins a little before it.
 * A beat before the requested cursor would state that the log was replaced.
 */
const withCursor = (signal: StreamSignal, cursor: Timetoken | undefined): StreamSignal =>
  signal.type === 'beat' && cursor !== undefined && isBeginning(signal.cursor, cursor)
    ? { ...signal, cursor }
    : signal;

/**
 * Opens streams. If the engine gives an invalid answer to a cursor twice in a row, the stream
 * starts at the current position; reading the rooms' histories, as after every connect, fills the
 * gap.
 */
const createOpenStream = (needs: PubnubStreamNeeds): Realtime['openStream'] => {
  let refused: { readonly cursor: Timetoken; readonly times: number } | undefined;
  return (cursor, onSignal) => {
    const isRefused = refused !== undefined && refused.cursor === cursor && refused.times > 1;
    const stream = new PubnubStream(needs, isRefused ? undefined : cursor, (signal) => {
      if (signal.type === 'ended' && signal.error.kind === 'malformed' && cursor !== undefined) {
        const times = refused?.cursor === cursor ? refused.times + 1 : 1;
        refused = { cursor, times };
      }
      onSignal(withCursor(signal, cursor));
    });
    void stream.run();
    return () => stream.close();
  };
};

const toWire = (message: SdkMessage) => ({ ...message, publisher: message.publisher ?? '' });

/** The hosted engine through its SDK, which is loaded with this module. */
export const createPubnubRealtime = (needs: PubnubRealtimeNeeds): Realtime => {
  const { pollMs, probeMs, stallMs } = needs.limits ?? {
    pollMs: HOSTED_POLL_MS,
    probeMs: HOSTED_PROBE_MS,
    stallMs: HOSTED_STALL_MS,
  };
  const { web, log, clock } = needs;
  const { channelTemplate: template } = needs.config;
  let handshake: Timetoken | undefined;
  const onHandshake = (at: Timetoken): void => {
    handshake = at;
  };
  provideFetch(createBufferedFetch({ fetch: web.fetch, log, pollMs, stallMs, onHandshake }));
  const access = new PubnubAccess(needs);
  const readEntries = createEntryReader(log);
  const readPage = createPageReader({ access, clock, timeoutMs: web.timeoutMs });
  const history = new PubnubHistory({ access, readPage, template, clock, readEntries });
  const own = createMarkLog({ access, readPage, template }, 'own');
  const staff = createMarkLog({ access, readPage, template }, 'staff');
  return {
    // A message published again under its id is stored again.
    idempotent: false,
    // The service keeps 100 messages for 20 minutes for a subscriber, over all its channels.
    complete: false,
    publish: (room, payload, cancel) =>
      publishTo(access, toChannel(template, room), payload, cancel),
    openStream: createOpenStream({
      access,
      probeMs,
      clock,
      findHandshake: () => handshake,
      toRooms: (channels) => toSubscribedRooms(template, channels),
      toEntries: (messages) => sortEntries(readEntries(template, messages.map(toWire))),
      logs: [own, staff],
    }),
    readHistory: (query, cancel) => history.read(query, cancel),
    readNewest: (rooms, cancel) => history.readNewest(rooms, cancel),
    countSince: (since, cancel) => history.count(since, cancel),
    own: own.log,
    staff: staff.log,
    renewToken: () => access.forget(),
  };
};
