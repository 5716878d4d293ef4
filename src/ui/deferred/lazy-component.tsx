import { type ComponentType, memo, useEffect, useState } from 'react';

/**
 * A component in its own chunk; until it has loaded, `Placeholder` or nothing takes its place. Not
 * `lazy`: after a Suspense fallback React delays the content by 300 ms, which would be most of a
 * start from this device. If the chunk cannot be loaded, the placeholder stays until the network
 * returns (`null`: nothing); without one the error reaches the error boundary.
 */
export const lazyComponent = <P extends object>(
  load: () => Promise<{ readonly default: ComponentType<P> } | undefined>,
  Placeholder?: ComponentType<P> | null,
): ComponentType<P> => {
  let loaded: ComponentType<P> | undefined;
  return memo(function Separate(props: P) {
    const [Part, setPart] = useState(() => loaded);
    const [failure, setFailure] = useState<{ readonly cause: unknown } | undefined>();
    useEffect(() => {
      if (Part !== undefined) return undefined;
      const fetchPart = async (): Promise<void> => {
        try {
          // Without a result the page is about to reload (throttled-reload.ts).
          loaded ??= (await load())?.default;
          setPart(() => loaded);
        } catch (error) {
          setFailure({ cause: error });
        }
      };
      const retry = (): void => void fetchPart();
      void fetchPart();
      window.addEventListener('online', retry);
      return () => window.removeEventListener('online', retry);
    }, [Part]);
    if (Part !== undefined) return <Part {...props} />;
    if (Placeholder) return <Placeholder {...props} />;
    if (Placeholder !== null && failure) throw failure.cause;
    return null;
  });
};
