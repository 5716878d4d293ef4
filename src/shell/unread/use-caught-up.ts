import { useEffect, useState } from 'react';

import { useConnection } from '#src/actors/actors.ts';

/** Time after connecting until missed messages have arrived. */
const CATCH_UP_MS = 1500;

/**
 * Whether arriving messages were just written: false while connecting, and until missed messages
 * have arrived. Offline nothing arrives.
 */
export const useCaughtUp = (): boolean => {
  const { kind } = useConnection();
  const [caughtUp, setCaughtUp] = useState(false);
  const isLinked = kind === 'online' || kind === 'blocked';
  useEffect(() => {
    if (!isLinked) return undefined;
    const timer = setTimeout(() => setCaughtUp(true), CATCH_UP_MS);
    return () => {
      clearTimeout(timer);
      setCaughtUp(false);
    };
  }, [isLinked]);
  return isLinked ? caughtUp : kind !== 'connecting';
};
