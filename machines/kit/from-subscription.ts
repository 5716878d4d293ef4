import type { Unsubscribe } from '#domain/ports/kit.ts';
import {
  type ActorRef,
  type AnyActorRef,
  type CallbackActorLogic,
  type EventObject,
  fromCallback,
  type Snapshot,
} from 'xstate';

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

/**
 * An actor that accepts these signals: as a target of `sendTo`, a misspelt one does not compile.
 */
export type Receiver<TSignal extends EventObject> = ActorRef<Snapshot<unknown>, TSignal>;

/** The parent that a machine reports to; the machine itself if it runs without one. */
export const findParent = <TSignal extends EventObject>({
  self,
}: {
  readonly self: AnyActorRef;
}): Receiver<TSignal> => self._parent ?? self;
