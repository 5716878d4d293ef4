import { createContext, useContext } from 'react';

import type { PageRuntime } from '#src/boot/page-runtime.ts';

/** Provides the page's actors and ports to the hooks of actors.ts. */
export const RuntimeContext = createContext<PageRuntime | undefined>(undefined);

export const useRuntime = (): PageRuntime => {
  const runtime = useContext(RuntimeContext);
  if (runtime === undefined) throw new Error('No page runtime');
  return runtime;
};
