import { useEffect } from 'react';

import { useStore } from './store-context.ts';

/**
 * Reads everything on screen again when the page becomes visible: a hidden page may miss commits.
 */
export const useMissedCommits = (): void => {
  const rows = useStore()?.database.rows;
  useEffect(() => {
    const onChange = (): void => {
      if (document.visibilityState === 'visible') rows?.reportAll();
    };
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, [rows]);
};
