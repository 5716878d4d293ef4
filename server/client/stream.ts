import { setTimeout as sleep } from 'node:timers/promises';

import { EventSourceParserStream } from 'eventsource-parser/stream';

import { STREAM_WATCHDOG_MS } from '#domain/limits.ts';
import { type WireEntry, streamBeatSchema } from '#domain/schemas/realtime.ts';
import { laterOf, type Timetoken } from '#domain/timetoken.ts';

import { toJitteredDelay } from './jittered-delay.ts';
import { type ClientWire, parseStreamEntries } from './wire.ts';

interface Follower {
  readonly onEntries: (entries: readonly WireEntry[]) => void;
  readonly onConnected: () => void;
  /** The connection was lost or refused; it is retried. */
  readonly onLost: (text: string) => void;
}

const readBeat = (data: string): Timetoken | undefined => {
  try {
    const parsed = streamBeatSchema.safeParse(JSON.parse(data));
    return parsed.success ? parsed.data.cursor : undefined;
  } catch {
    return undefined;
  }
};

/** Reads one connection to its end; returns the cursor to continue from. */
const readStream = async (
  body: ReadableStream<Uint8Array>,
  from: Timetoken,
  onEntries: Follower['onEntries'],
  onLife: () => void,
): Promise<Timetoken> => {
  let cursor = from;
  const events = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  try {
    for await (const { event, data } of events) {
      onLife();
      const entries = event === 'entries' ? parseStreamEntries(data) : [];
      onEntries(entries);
      cursor = laterOf(cursor, entries.at(-1)?.timetoken ?? readBeat(data) ?? cursor);
    }
  } catch {
    // Cut off: entries read so far count, the rest arrives again from the cursor.
  }
  return cursor;
};

/**
 * Follows the client's rooms from a cursor until `leave`, and reconnects by itself: a stream that
 * ended, was refused, or had no beat for the watchdog's time is reopened where it stopped.
 */
export const followRooms = async (
  wire: ClientWire,
  from: Timetoken,
  follower: Follower,
  leave: AbortSignal,
): Promise<void> => {
  let cursor = from;
  let failures = 0;
  while (!leave.aborted) {
    const silence = new AbortController();
    const watchdog = setTimeout(() => silence.abort(), STREAM_WATCHDOG_MS);
    const answer = await wire.openStream(cursor, AbortSignal.any([leave, silence.signal]));
    if (answer.ok && answer.value.body !== null) {
      follower.onConnected();
      failures = 0;
      cursor = await readStream(answer.value.body, cursor, follower.onEntries, () =>
        watchdog.refresh(),
      );
    }
    clearTimeout(watchdog);
    if (leave.aborted) return;
    failures += 1;
    follower.onLost(answer.ok ? 'The connection was lost.' : answer.error.text);
    await sleep(toJitteredDelay(failures), undefined, { signal: leave }).catch(() => undefined);
  }
};
