import type { AppError } from '#domain/errors.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import { type CallbackActorLogic, type EventObject, fromCallback } from 'xstate';

/** An actor that does one thing and tells its parent the outcome as one signal. */
export type Task<TInput> = CallbackActorLogic<EventObject, TInput>;

/** What makes a task end whatever the world outside does. */
export interface TaskRule {
  /** Stands in the client log. */
  readonly name: string;
  /** Upper time, ms, see limits.ts; none where a person is waited for. */
  readonly limitMs: number | undefined;
  /** What the parent gets when the task threw (`unreachable`) or took too long (`timeout`). */
  readonly toFailure: (error: AppError) => EventObject | undefined;
}

/** Ports promise not to throw. One that does all the same is logged and handled as a failure. */
export const reportThrown = (clientLog: ClientLog, task: string, error: unknown): void =>
  clientLog.write('error', 'TASK_FAILED', { task, error: String(error) });

const EXPIRED = 'task.expired';

/**
 * Runs `run` once; its outcome, if it has one, is sent to the parent, unless the task was
 * stopped before, which also aborts the signal. A throw, a rejection and the upper
 * time are failures like any other, so that no machine waits for ever.
 */
export const fromTask = <TInput>(
  { clientLog }: { readonly clientLog: ClientLog },
  { name, limitMs, toFailure }: TaskRule,
  run: (input: TInput, cancel: AbortSignal) => Promise<EventObject | undefined>,
): Task<TInput> =>
  fromCallback<EventObject, TInput>(({ input, sendBack, receive, self, system }) => {
    const controller = new AbortController();
    let isOver = false;
    const end = (signal: EventObject | undefined): void => {
      isOver = true;
      system.scheduler.cancel(self, EXPIRED);
      if (signal !== undefined) sendBack(signal);
    };
    const work = async (): Promise<void> => {
      try {
        const signal = await run(input, controller.signal);
        if (!isOver) end(signal);
      } catch (error) {
        reportThrown(clientLog, name, error);
        if (!isOver) end(toFailure({ kind: 'unreachable' }));
      }
    };
    receive(() => {
      clientLog.write('error', 'TASK_TIMED_OUT', { task: name, limitMs });
      end(toFailure({ kind: 'timeout' }));
      controller.abort();
    });
    if (limitMs !== undefined) {
      system.scheduler.schedule(self, self, { type: EXPIRED }, limitMs, EXPIRED);
    }
    void work();
    return () => {
      isOver = true;
      system.scheduler.cancel(self, EXPIRED);
      controller.abort();
    };
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
