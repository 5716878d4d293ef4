import { useEffect } from 'react';

import { useStore } from './store-context.ts';

/** Reads everything shown again when the page becomes visible: hidden, it may miss commits. */
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
