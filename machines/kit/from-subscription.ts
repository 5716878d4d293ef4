import type { Unsubscribe } from '#domain/ports/kit.ts';
import { type CallbackActorLogic, type EventObject, fromCallback } from 'xstate';

/** Starts watching, and returns the function that ends it. */
type Watch<TSignal extends EventObject, TInput> = (
  send: (signal: TSignal) => void,
  input: TInput,
) => Unsubscribe | undefined;

/** Watches something outside while it runs; its parent gets these signals and no others. */
export const fromSubscription = <TSignal extends EventObject, TInput = undefined>(
  watch: Watch<TSignal, TInput>,
): CallbackActorLogic<EventObject, TInput> =>
  fromCallback(({ sendBack, input }) => watch(sendBack, input));
