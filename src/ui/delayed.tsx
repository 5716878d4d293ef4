import { type ReactNode, useEffect, useState } from 'react';

import { SKELETON_DELAY_MS } from '#domain/limits.ts';

/** Shows its children only once the wait has become noticeable. */
export const Delayed = ({
  children,
  ms = SKELETON_DELAY_MS,
}: {
  readonly children: ReactNode;
  readonly ms?: number;
}) => {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return shown ? children : undefined;
};
