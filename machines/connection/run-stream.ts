import type { AppError } from '#domain/errors.ts';
import { beforeHistoryLag } from '#domain/history-lag.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { Realtime, StreamSignal } from '#domain/ports/network.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { ok } from '#domain/result.ts';
import { laterOf, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { reportThrown } from '../kit/answer.ts';
import { fromSubscription } from '../kit/from-subscription.ts';
import type { LeaderInput } from '../kit/inputs.ts';
import { type StreamReport, toEndSignal } from './stream-report.ts';
import type { Resumption, StreamWriter } from './stream-writer.ts';

/** `cursor`: everything that this tab's stream delivered up to here is stored. */
export interface StreamInput extends LeaderInput {
  readonly cursor: Timetoken | undefined;
}

type StreamPorts = Pick<Ports, 'realtime' | 'clientLog'>;

/**
 * The stream resumes where the last stream of any tab ended, else at the newest position covered in
 * any room, else now. In the second case it begins `HISTORY_LAG_MS` earlier if histories may lack
 * the last messages, or if the engine is not known yet.
 */
const findResumption = async (
  realtime: Pick<Realtime, 'complete'>,
  { store, cursor }: StreamInput,
): Promise<Resumption> => {
  const last = cursor === undefined ? await store.findCursor() : ok(cursor);
  if (last.ok && last.value !== undefined) return { cursor: last.value, stored: last.value };
  const known = await store.findAllCoverage();
  const pages = known.ok ? [...known.value.pages.values()] : [];
  const ends = pages.map(({ ranges }) => ranges.at(-1)?.to);
  const newest = ends.reduce<Timetoken>(
    (latest, end) => laterOf(latest, end ?? TIMETOKEN_ZERO),
    TIMETOKEN_ZERO,
  );
  if (newest === TIMETOKEN_ZERO) return { cursor: undefined, stored: undefined };
  return { cursor: realtime.complete ? newest : beforeHistoryLag(newest), stored: undefined };
};

/**
 * The end of the log if it is before `cursor`: the log was replaced, or restored to an older
 * state. Later entries may then be below positions that count as known on this device.
 */
const findRewound = (signal: StreamSignal, cursor: Timetoken | undefined) =>
  signal.type === 'beat' && cursor !== undefined && signal.cursor < cursor
    ? signal.cursor
    : undefined;

/** The end of the logs, if a signal contains it. */
const findEnd = (signal: StreamSignal): Timetoken | undefined => {
  if (signal.type === 'opened') return signal.after;
  return signal.type === 'beat' ? signal.cursor : undefined;
};

const toThrownFailure =
  (clientLog: ClientLog) =>
  (error: unknown): AppError => {
    reportThrown(clientLog, 'stream', error);
    return { kind: 'storage', detail: String(error) };
  };

/**
 * Keeps the only stream open and stores its entries. It starts where the last one ended, else at
 * the newest known position, else now; catch-up fills the rest.
 */
export const runStream = ({ realtime, clientLog }: StreamPorts) =>
  fromSubscription<StreamReport, StreamInput>((notify, input) => {
    const toFailure = toThrownFailure(clientLog);
    let writer: StreamWriter | undefined;
    let stopped = false;
    let close = (): void => undefined;
    const endOn = (error: unknown): void => {
      const end = toEndSignal(toFailure(error));
      if (!stopped) notify(end);
    };
    const rewind = async (cursor: Timetoken) => {
      writer?.stop();
      close();
      const forgotten = await input.store.forgetCoverage(input.fence);
      if (stopped) return;
      notify(forgotten.ok ? { type: 'stream.rewound', cursor } : toEndSignal(forgotten.error));
    };
    const open = async () => {
      const { cursor, stored } = await findResumption(realtime, input);
      const loaded = await import('./stream-writer.ts');
      if (stopped) return;
      let isRewound = false;
      const resumed = { ...input, cursor, stored };
      const stream = new loaded.StreamWriter(resumed, realtime, notify, toFailure);
      writer = stream;
      close = realtime.openStream(cursor, (signal) => {
        const rewound = findRewound(signal, cursor);
        if (rewound !== undefined) rewind(rewound).catch(endOn);
        isRewound ||= rewound !== undefined;
        if (isRewound) return;
        const at = findEnd(signal);
        if (at !== undefined) notify({ type: 'stream.began', at });
        if (signal.type !== 'ended') notify({ type: 'stream.beat' });
        stream.take(signal);
      });
    };
    open().catch(endOn);
    return () => {
      stopped = true;
      writer?.stop();
      close();
    };
  });
