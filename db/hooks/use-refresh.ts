import { useEffect } from 'react';

/** Calls `refresh` when the page becomes visible: hidden, it may have missed other tabs' commits. */
export const useRefresh = (model: { refresh(): void } | undefined): void => {
  useEffect(() => {
    if (model === undefined) return undefined;
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') model.refresh();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [model]);
};
