import type { ActorRef, AnyActorRef, AnyEventObject, EventObject, Snapshot } from 'xstate';

/** An actor that takes these signals: with it as target of `sendTo` a misspelt one does not compile. */
export type Receiver<TSignal extends EventObject> = ActorRef<Snapshot<unknown>, TSignal>;

/** Where a machine tells what its parent must know; itself when it runs without one. */
export const findParent = <TSignal extends EventObject = AnyEventObject>({
  self,
}: {
  readonly self: AnyActorRef;
}): Receiver<TSignal> => self._parent ?? self;
