import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Whether the page is being printed; rendered before that begins. */
export const usePrinting = (): boolean => {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    for (const name of ['beforeprint', 'afterprint']) {
      const follow = (): void => flushSync(() => setPrinting(name === 'beforeprint'));
      window.addEventListener(name, follow, { signal: listening.signal });
    }
    return () => listening.abort();
  }, []);
  return isPrinting;
};
