import { useEffect, useState } from 'react';

import { useConnection } from '#src/actors/desk.ts';

/** Time from the end of a catch-up until its messages are on the screen. */
const SHOWN_AFTER_MS = 1500;

/**
 * Whether arriving messages were just written: false while connecting, and until missed messages
 * have arrived. Offline nothing arrives.
 */
export const useCaughtUp = (): boolean => {
  const { kind, isCatchingUp } = useConnection();
  const [caughtUp, setCaughtUp] = useState(false);
  const isLinked = kind === 'online' || kind === 'blocked';
  const hasEnded = isLinked && !isCatchingUp;
  useEffect(() => {
    if (!hasEnded) return undefined;
    const timer = setTimeout(() => setCaughtUp(true), SHOWN_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setCaughtUp(false);
    };
  }, [hasEnded]);
  return isLinked ? caughtUp : kind !== 'connecting';
};
