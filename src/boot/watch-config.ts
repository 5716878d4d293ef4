import type { Unsubscribe } from '#domain/ports/kit.ts';
import type { PublicConfig } from '#domain/schemas/config.ts';
import { toRefetchDelay } from '#machines/kit/refetch-delay.ts';

import type { PagePorts } from './compose-ports.ts';

type ConfigPorts = Pick<PagePorts, 'publicConfig' | 'random' | 'environment'>;

/**
 * Requests the server's public settings until they arrive, and passes them to the listener, again
 * whenever the network returns.
 */
export const watchConfig = (
  ports: ConfigPorts,
  listener: (config: PublicConfig) => void,
): Unsubscribe => {
  const listening = new AbortController();
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async (): Promise<void> => {
    const answer = await ports.publicConfig.get();
    clearTimeout(timer);
    if (listening.signal.aborted) return;
    if (answer.ok) return listener(answer.value);
    failures += 1;
    timer = setTimeout(read, toRefetchDelay(ports, failures));
  };
  const read = (): void => void ask();
  // `online` may fire before the first request can succeed.
  window.addEventListener('online', read, listening);
  read();
  return () => listening.abort();
};
