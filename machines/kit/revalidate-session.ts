import type { AnyActorRef } from 'xstate';

/** What other parts ask of the session. */
export type SessionRequest =
  /** A request was answered 401. */
  | { readonly type: 'session.revalidate' }
  /** This tab signed out. */
  | { readonly type: 'session.ended' };

/** Under this id the session runs in its system. */
export const SESSION_ID = 'session';

const askSession =
  (request: SessionRequest) =>
  ({ system }: { readonly system: AnyActorRef['system'] }): void => {
    system.get(SESSION_ID)?.send(request);
  };

/** Some request was answered 401: the session is asked for again (spec §4). */
export const revalidateSession = askSession({ type: 'session.revalidate' });
export const endSession = askSession({ type: 'session.ended' });
