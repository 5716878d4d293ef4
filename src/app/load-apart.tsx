import { type ComponentType, useEffect, useState } from 'react';

/**
 * A part of the page in a chunk of its own; nothing is shown until it is here. Not `lazy`:
 * after a Suspense fallback React holds the content back for 300 ms, which would be most
 * of a start from this device. A chunk that cannot be loaded reaches the error boundary.
 */
export const loadApart = <P extends object>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
): ComponentType<P> => {
  let loaded: ComponentType<P> | undefined;
  return function Apart(props: P) {
    const [Part, setPart] = useState(() => loaded);
    const [failure, setFailure] = useState<{ readonly cause: unknown } | undefined>();
    useEffect(() => {
      if (loaded !== undefined) return;
      const fetchPart = async (): Promise<void> => {
        try {
          const part = (await load()).default;
          loaded = part;
          setPart(() => part);
        } catch (error) {
          setFailure({ cause: error });
        }
      };
      void fetchPart();
    }, []);
    if (failure !== undefined) throw new Error('A part of the page did not load', failure);
    return Part === undefined ? null : <Part {...props} />;
  };
};
