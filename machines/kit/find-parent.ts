import type { AnyActorRef } from 'xstate';

/** Where a machine tells what its parent must know; itself when it runs without one. */
export const findParent = ({ self }: { readonly self: AnyActorRef }): AnyActorRef =>
  self._parent ?? self;
