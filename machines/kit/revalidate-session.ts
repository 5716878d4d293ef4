import type { AnyActorRef } from 'xstate';

/** Under this id the session runs in its system. */
export const SESSION_ID = 'session';

/** Some request was answered 401: the session is asked for again (spec §4). */
export const revalidateSession = ({ system }: { readonly system: AnyActorRef['system'] }): void => {
  system.get(SESSION_ID)?.send({ type: 'session.revalidate' });
};
