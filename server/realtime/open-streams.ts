import { fail, ok, type Result } from '#domain/result.ts';
import type { MarkLogName } from '#domain/schemas/mark-log.ts';

import { type Refusal, toPublisher } from './access.ts';
import {
  STREAM_REPLACED_AFTER_MS,
  STREAM_RETRY_MS,
  STREAMS_PER_PERSON,
  STREAMS_PER_SESSION,
} from './limits.ts';
import type { Bearer } from './token.ts';

interface OpenStream {
  readonly person: string;
  /** Undefined for a client, which has none. */
  readonly sid: string | undefined;
  /** ms since the epoch */
  readonly since: number;
  readonly ends: StreamEnds;
}

/** The actions on an open stream. */
export interface StreamEnds {
  readonly end: () => void;
  /** Reports that a log of marks has grown. */
  readonly notify: (log: MarkLogName, frame: Buffer) => void;
}

const TOO_MANY: Refusal = {
  status: 429,
  text: 'Too many open streams.',
  retryAfterMs: STREAM_RETRY_MS,
};

const toSid = (bearer: Bearer): string | undefined =>
  bearer.kind === 'staff' ? bearer.sid : undefined;

/** The open streams, by person and by session, and the limits for another one. */
export const createOpenStreams = (now: () => number) => {
  const byPerson = new Map<string, Set<OpenStream>>();
  let total = 0;

  const remove = (stream: OpenStream): void => {
    const peers = byPerson.get(stream.person);
    if (peers?.delete(stream)) total -= 1;
    if (peers?.size === 0) byPerson.delete(stream.person);
  };
  /**
   * A browser has one stream. Many streams of one session are abandoned connections, for example
   * after a loss of the network: they must not lock the browser out until their tokens expire.
   */
  const replaceOldest = (ofSession: readonly OpenStream[]): boolean => {
    const [oldest] = ofSession;
    if (oldest === undefined || now() - oldest.since < STREAM_REPLACED_AFTER_MS) return false;
    remove(oldest);
    oldest.ends.end();
    return true;
  };
  const notify = (streams: Iterable<OpenStream>, log: MarkLogName, frame: Buffer): void => {
    for (const { sid, ends } of streams) if (sid !== undefined) ends.notify(log, frame);
  };
  return {
    /** Admits one more stream, closing an abandoned one if needed, or refuses. */
    admit: (bearer: Bearer): Result<void, Refusal> => {
      const peers = [...(byPerson.get(toPublisher(bearer)) ?? [])];
      const sid = toSid(bearer);
      const ofSession = peers.filter((one) => sid !== undefined && one.sid === sid);
      if (ofSession.length >= STREAMS_PER_SESSION && !replaceOldest(ofSession)) {
        return fail(TOO_MANY);
      }
      const open = byPerson.get(toPublisher(bearer))?.size ?? 0;
      return open >= STREAMS_PER_PERSON ? fail(TOO_MANY) : ok(undefined);
    },
    /** Registers a stream until the returned function is called. */
    add: (bearer: Bearer, ends: StreamEnds): (() => void) => {
      const stream = { person: toPublisher(bearer), sid: toSid(bearer), since: now(), ends };
      byPerson.set(stream.person, (byPerson.get(stream.person) ?? new Set()).add(stream));
      total += 1;
      return () => remove(stream);
    },
    count: () => total,
    endSession: (sid: string): void => {
      for (const peers of byPerson.values()) {
        for (const stream of peers) if (stream.sid === sid) stream.ends.end();
      }
    },
    /** Notifies the streams of a user of their log, never those of a client with that name. */
    notifyUser: (uid: string, frame: Buffer): void => notify(byPerson.get(uid) ?? [], 'own', frame),
    /** Notifies the streams of all staff of their log. */
    notifyStaff: (frame: Buffer): void => {
      for (const peers of byPerson.values()) notify(peers, 'staff', frame);
    },
  };
};

export type OpenStreams = ReturnType<typeof createOpenStreams>;
