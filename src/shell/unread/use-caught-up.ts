import { useEffect, useState } from 'react';

import { useConnection } from '#src/actors/actors.ts';

/** So long after the connection is there, what was missed has come in. */
const CATCH_UP_MS = 1500;

/**
 * Whether what comes in was written just now: not while the desk connects, nor until what was
 * missed meanwhile has come. Nothing comes in offline.
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
