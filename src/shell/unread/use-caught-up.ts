import { useConnection, useSteadyKind } from '#src/actors/desk.ts';
import { useLasting } from '#src/ui/hooks/use-lasting.ts';

/** Time from the end of a catch-up until its messages are on the screen. */
const SHOWN_AFTER_MS = 1500;

/**
 * Whether arriving messages were just written: false while connecting, and until missed messages
 * have arrived or could not be read several times in a row. Offline, and between the attempts of an
 * outage, nothing arrives.
 */
export const useCaughtUp = (): boolean => {
  const { kind: now, isCatchingUp } = useConnection();
  const kind = useSteadyKind(now);
  const isLinked = kind === 'online' || kind === 'blocked';
  const caughtUp = useLasting(isLinked && !isCatchingUp, SHOWN_AFTER_MS);
  return isLinked ? caughtUp : kind !== 'connecting';
};
