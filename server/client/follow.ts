import { setTimeout as sleep } from 'node:timers/promises';

import type { AppError } from '#domain/errors.ts';
import { STREAM_WATCHDOG_MS } from '#domain/limits.ts';
import type { Realtime, StreamSignal } from '#domain/ports/network.ts';
import type { LogEntry } from '#domain/schemas/message.ts';
import { laterOf, type Timetoken } from '#domain/timetoken.ts';

import { toDelay } from './realtime.ts';

interface Follower {
  readonly onEntries: (entries: readonly LogEntry[]) => void;
  readonly onConnected: () => void;
  /** A connection could not be opened; it is retried. */
  readonly onLost: (error: AppError) => void;
}

const findCursor = (signal: StreamSignal): Timetoken | undefined => {
  if (signal.type === 'beat') return signal.cursor;
  return signal.type === 'entries' ? signal.entries.at(-1)?.timetoken : undefined;
};

/**
 * Follows one connection and returns why it ended; ends it if it is silent for the watchdog's time.
 */
const followOnce = (
  realtime: Realtime,
  cursor: Timetoken,
  onSignal: (signal: StreamSignal) => void,
  leave: AbortSignal,
): Promise<AppError> =>
  new Promise((resolve) => {
    const end = (error: AppError): void => {
      clearTimeout(watchdog);
      leave.removeEventListener('abort', onLeave);
      close();
      resolve(error);
    };
    const onLeave = (): void => end({ kind: 'unreachable' });
    const watchdog = setTimeout(() => end({ kind: 'timeout' }), STREAM_WATCHDOG_MS);
    leave.addEventListener('abort', onLeave);
    const close = realtime.openStream(cursor, (signal) => {
      watchdog.refresh();
      if (signal.type === 'ended') end(signal.error);
      else onSignal(signal);
    });
  });

/**
 * Follows the client's rooms from a cursor until `leave`, and reconnects by itself: a stream that
 * ended, was refused or fell silent is reopened where it stopped.
 */
export const followRooms = async (
  realtime: Realtime,
  from: Timetoken,
  { onEntries, onConnected, onLost }: Follower,
  leave: AbortSignal,
): Promise<void> => {
  let cursor = from;
  let failures = 0;
  const onSignal = (signal: StreamSignal): void => {
    failures = 0;
    onConnected();
    if (signal.type === 'entries') onEntries(signal.entries);
    cursor = laterOf(cursor, findCursor(signal) ?? cursor);
  };
  while (!leave.aborted) {
    failures += 1;
    const error = await followOnce(realtime, cursor, onSignal, leave);
    if (leave.aborted) return;
    // A stream that was open may only have ended with its token.
    if (failures > 0) onLost(error);
    await sleep(toDelay(failures), undefined, { signal: leave }).catch(() => undefined);
  }
};
