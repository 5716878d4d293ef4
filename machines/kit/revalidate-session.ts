import type { AnyActorRef } from 'xstate';

/** Requests of other parts to the session. */
export type SessionRequest =
  /** A request was answered 401. */
  | { readonly type: 'session.revalidate' }
  /** This tab signed out. */
  | { readonly type: 'session.ended' };

/** The session's id in the actor system. */
export const SESSION_ID = 'session';

const askSession =
  (request: SessionRequest) =>
  ({ system }: { readonly system: AnyActorRef['system'] }): void => {
    system.get(SESSION_ID)?.send(request);
  };

/** The session is requested again (spec §4). */
export const revalidateSession = askSession({ type: 'session.revalidate' });
export const endSession = askSession({ type: 'session.ended' });
