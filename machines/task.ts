import type { Cancellation } from '#domain/ports.ts';
import { type CallbackActorLogic, type EventObject, fromCallback } from 'xstate';

import { createCancellation } from './cancellation.ts';

/** An actor that does one thing and tells its parent the outcome as one signal. */
export type Task<TInput> = CallbackActorLogic<EventObject, TInput>;

/**
 * Runs `run` once; its outcome, if there is one to tell, is sent to the parent, unless the
 * task was stopped before, which also triggers the cancellation.
 */
export const fromTask = <TInput>(
  run: (input: TInput, cancel: Cancellation) => Promise<EventObject | undefined>,
): Task<TInput> =>
  fromCallback<EventObject, TInput>(({ input, sendBack }) => {
    const source = createCancellation();
    const tell = async () => {
      const signal = await run(input, source.cancellation);
      if (signal !== undefined && !source.cancellation.aborted) sendBack(signal);
    };
    void tell();
    return () => source.abort();
  });

/** Stands where the composition root has to provide an actor; running it is a mistake. */
export const missingTask = <TInput = undefined>(name: string): Task<TInput> =>
  fromCallback<EventObject, TInput>(() => {
    throw new Error(`The actor ${name} is not provided`);
  });

/** Stands where the composition root has to provide a delay, guard or action. */
export const missing = (name: string) => (): never => {
  throw new Error(`${name} is not provided`);
};
