import { useState } from 'react';

import { type ConnectionView, useConnection } from './desk.ts';

/**
 * The state of the connection, which another attempt to reach the server does not change: it stays
 * `waiting` until one succeeds.
 */
export const useSteadyKind = (): ConnectionView['kind'] => {
  const { kind } = useConnection();
  const [settled, setSettled] = useState(kind);
  if (kind !== 'connecting' && kind !== settled) setSettled(kind);
  return kind === 'connecting' && settled === 'waiting' ? settled : kind;
};
