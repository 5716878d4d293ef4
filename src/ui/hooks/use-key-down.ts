import { useEffect, useEffectEvent } from 'react';

/** Calls `onKeyDown` for every key, wherever the focus is. */
export const useKeyDown = (onKeyDown: (event: KeyboardEvent) => void): void => {
  const press = useEffectEvent(onKeyDown);
  useEffect(() => {
    const listening = new AbortController();
    window.addEventListener('keydown', (event) => press(event), listening);
    return () => listening.abort();
  }, []);
};
