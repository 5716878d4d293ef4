import { type ComponentType, useEffect, useState } from 'react';

/**
 * A part of the page in a chunk of its own; until it is here `Placeholder` stands in its
 * place, or nothing. Not `lazy`: after a Suspense fallback React holds the content back for
 * 300 ms, which would be most of a start from this device. A chunk that cannot be loaded
 * leaves its placeholder; without one it reaches the error boundary.
 */
export const lazyComponent = <P extends object>(
  load: () => Promise<{ readonly default: ComponentType<P> } | undefined>,
  Placeholder?: ComponentType<P>,
): ComponentType<P> => {
  let loaded: ComponentType<P> | undefined;
  return function Apart(props: P) {
    const [Part, setPart] = useState(() => loaded);
    const [failure, setFailure] = useState<{ readonly cause: unknown } | undefined>();
    useEffect(() => {
      if (loaded !== undefined) return;
      const fetchPart = async (): Promise<void> => {
        try {
          const part = await load();
          // The page is about to be loaded anew (throttled-reload.ts).
          if (part === undefined) return;
          loaded = part.default;
          setPart(() => part.default);
        } catch (error) {
          setFailure({ cause: error });
        }
      };
      void fetchPart();
    }, []);
    if (Part !== undefined) return <Part {...props} />;
    if (Placeholder !== undefined) return <Placeholder {...props} />;
    if (failure !== undefined) throw new Error('A part of the page did not load', failure);
    return null;
  };
};
