import { useState } from 'react';

import { type ConnectionView, useConnection } from './desk.ts';

/**
 * The state of the connection, in which another attempt to reach the server is not news: it stays
 * `waiting` until one succeeds.
 */
export const useSteadyKind = (): ConnectionView['kind'] => {
  const { kind } = useConnection();
  const [settled, setSettled] = useState(kind);
  if (kind !== 'connecting' && kind !== settled) setSettled(kind);
  return kind === 'connecting' && settled === 'waiting' ? settled : kind;
};
