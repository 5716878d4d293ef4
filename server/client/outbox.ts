import { setTimeout as sleep } from 'node:timers/promises';

import { v7 } from 'uuid';

import type { AppError } from '#domain/errors.ts';
import type { Realtime } from '#domain/ports/network.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { WirePayload } from '#domain/schemas/message.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { isFinal, toDelay } from './realtime.ts';

export interface ClientOutbox {
  /** Queues a line, to be sent after all earlier lines. */
  send(text: string): void;
  /** Number of lines not acknowledged yet. */
  pending(): number;
  /** Resolves when every line queued so far was acknowledged, refused or dropped. */
  settled(): Promise<void>;
}

export interface OutboxDeps {
  readonly realtime: Realtime;
  readonly room: RoomKey;
  readonly clientName: string;
  readonly onSent: (payload: WirePayload, timetoken: Timetoken) => void;
  readonly onRefused: (text: string, error: AppError) => void;
  /** Drops the pending lines. */
  readonly abandon: AbortSignal;
}

/**
 * Sends lines one after the other. A line keeps its id over all attempts, so that one whose answer
 * was lost is stored once; a refused line does not delay others.
 */
export const createClientOutbox = ({
  realtime,
  room,
  clientName,
  onSent,
  onRefused,
  abandon,
}: OutboxDeps): ClientOutbox => {
  let pending = 0;
  let last: Promise<void> = Promise.resolve();

  const deliver = async (text: string): Promise<void> => {
    const payload = { text: text.toWellFormed(), clientName, clientAvatar: '', id: v7() };
    for (let failures = 1; !abandon.aborted; failures += 1) {
      const answer = await realtime.publish(room, payload, abandon);
      if (answer.ok || isFinal(answer.error)) pending -= 1;
      if (answer.ok) return onSent(payload, answer.value);
      if (isFinal(answer.error)) return onRefused(text, answer.error);
      await sleep(toDelay(failures), undefined, { signal: abandon }).catch(() => undefined);
    }
    return undefined;
  };

  return {
    send: (text) => {
      pending += 1;
      last = last.then(() => deliver(text));
    },
    pending: () => pending,
    settled: () => last,
  };
};
