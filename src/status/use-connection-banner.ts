import { useCallback, useEffect, useState } from 'react';

import { useStore } from '#db/hooks/store-context.ts';
import type { ConnectionView } from '#src/actors/desk.ts';

/** Time for a first connection, which begins once the storage is open, before the line appears. */
const CONNECT_GRACE_MS = 2500;
/** A message that gets through at the next attempt does not count as trouble. */
const BLOCKED_GRACE_MS = 2000;
/** "Online" stays this long, and longer while messages are being sent. */
const RETURN_SHOWN_MS = 4000;

/** Runs `then` after `ms` unless `waits` ends first. */
const useAfter = (waits: boolean, ms: number, then: () => void): void => {
  useEffect(() => {
    if (!waits) return undefined;
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  }, [waits, ms, then]);
};

type BannerPhase = 'calm' | 'trouble' | 'returned';

/**
 * Keeps the connection line calm: a short first connect shows nothing (`calm`), a lost connection
 * is shown (`trouble`), and its return for a moment (`returned`). `queued` counts the user's unsent
 * messages.
 */
export const useConnectionBanner = (kind: ConnectionView['kind'], queued: number): BannerPhase => {
  const [phase, setPhase] = useState<BannerPhase>('calm');
  const lost = kind === 'offline' || kind === 'waiting' || kind === 'unresponsive';
  if (lost && phase !== 'trouble') setPhase('trouble');
  if (kind === 'online' && phase === 'trouble') setPhase('returned');

  const toTrouble = useCallback(() => setPhase('trouble'), []);
  const toCalm = useCallback(() => setPhase('calm'), []);
  useAfter(kind === 'blocked' && phase !== 'trouble', BLOCKED_GRACE_MS, toTrouble);
  const mayConnect = useStore() !== undefined && kind === 'connecting';
  useAfter(mayConnect && phase !== 'trouble', CONNECT_GRACE_MS, toTrouble);
  useAfter(phase === 'returned' && queued === 0, RETURN_SHOWN_MS, toCalm);
  return phase;
};
