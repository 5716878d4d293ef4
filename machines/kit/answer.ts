import type { AppError } from '#domain/errors.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { Result } from '#domain/result.ts';
import type { EventObject } from 'xstate';

/** Params of an `onDone` action with a port's value, once `hasFailed` has handled the failures. */
export const toValue = <T>({
  event: { output },
}: {
  readonly event: { readonly output: Result<T, AppError> };
}): T => {
  if (!output.ok) throw new Error(output.error.kind);
  return output.value;
};

/** The events of `onDone`, `onError` and `after`; here `after` is a timeout. */
type Ended = EventObject & {
  readonly output?: Result<unknown, AppError>;
  readonly error?: unknown;
};

const isThrown = ({ type }: EventObject): boolean => type.startsWith('xstate.error.');

const isTimeout = ({ type }: EventObject): boolean => type.startsWith('xstate.after.');

/**
 * Why an actor failed: its error value, `unreachable` if it threw, `timeout` after the upper limit
 * of its state.
 */
export const findFailure = (event: Ended): AppError | undefined => {
  if (isThrown(event)) return { kind: 'unreachable' };
  if (isTimeout(event)) return { kind: 'timeout' };
  return event.output?.ok === false ? event.output.error : undefined;
};

/** Guard: the answer is a failure. */
export const hasFailed = ({ event }: { readonly event: Ended }): boolean =>
  findFailure(event) !== undefined;

/** Guard: another tab leads, so that nothing was written. */
export const isFenced = ({ event }: { readonly event: Ended }): boolean =>
  findFailure(event)?.kind === 'fenced';

/** The delay that the engine requested with a failure, ms; 0 without one. */
export const findRequestedDelay = (failure: AppError | undefined): number =>
  failure?.kind === 'limited' ? failure.retryAfterMs : 0;

/**
 * Logs an exception that a port threw instead of returning an error; `task` names the operation.
 */
export const reportThrown = (clientLog: ClientLog, task: string, error: unknown): void =>
  clientLog.write('error', 'TASK_FAILED', { task, error: String(error) });

/**
 * Action of every `onError` and timeout: ports promise a value and never to throw; one that breaks
 * this is logged, with its state or actor.
 */
export const reportFailure =
  ({ clientLog }: { readonly clientLog: ClientLog }) =>
  ({ event }: { readonly event: Ended }): void => {
    const task = event.type.replace(/^xstate\.(error\.actor\.(\d+\.)?|after\.)/, '');
    if (isTimeout(event)) clientLog.write('error', 'TASK_TIMED_OUT', { task });
    else reportThrown(clientLog, task, event.error);
  };
