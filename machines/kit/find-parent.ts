import type { ActorRef, AnyActorRef, EventObject, Snapshot } from 'xstate';

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
