import type { Realtime, StreamSignal } from '#domain/ports/network.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';
import type { LogEntry } from '#domain/schemas/message.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { WAIT_MS_MAX } from './wait-for.ts';

/** One open stream with everything it reported. */
export interface SignalRecorder {
  readonly signals: readonly StreamSignal[];
  entries(): readonly LogEntry[];
  /** Resolves once the reported signals satisfy the condition; rejects if they never do. */
  until(condition: (signals: readonly StreamSignal[]) => boolean): Promise<void>;
  /** Resolves with the cursor of the last beat, once there is one. */
  untilBeat(): Promise<Timetoken>;
  untilEntries(count: number): Promise<readonly LogEntry[]>;
  untilEnded(): Promise<Extract<StreamSignal, { type: 'ended' }>['error']>;
  readonly stop: Unsubscribe;
}

const toEntries = (signals: readonly StreamSignal[]): readonly LogEntry[] =>
  signals.flatMap((signal) => (signal.type === 'entries' ? signal.entries : []));

export const recordSignals = (realtime: Realtime, cursor?: Timetoken): SignalRecorder => {
  const signals: StreamSignal[] = [];
  const waiting = new Set<() => void>();
  const stop = realtime.openStream(cursor, (signal) => {
    signals.push(signal);
    for (const check of waiting) check();
  });
  const until: SignalRecorder['until'] = (condition) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(check);
        reject(new Error(`never happened; reported: ${JSON.stringify(signals).slice(0, 2000)}`));
      }, WAIT_MS_MAX);
      const check = () => {
        if (!condition(signals)) return;
        clearTimeout(timer);
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const findLast = <T extends StreamSignal['type']>(type: T) =>
    signals.findLast(
      (signal): signal is Extract<StreamSignal, { type: T }> => signal.type === type,
    );
  return {
    signals,
    entries: () => toEntries(signals),
    until,
    async untilBeat() {
      await until(() => findLast('beat') !== undefined);
      return findLast('beat')!.cursor;
    },
    async untilEntries(count) {
      await until((all) => toEntries(all).length >= count);
      return toEntries(signals);
    },
    async untilEnded() {
      await until(() => findLast('ended') !== undefined);
      return findLast('ended')!.error;
    },
    stop,
  };
};
