import type { ClientLog, Locks } from '#domain/ports/browser.ts';

/**
 * Web Locks. If the browser has none (a page on plain http that is not loopback) or refuses them,
 * which is logged, every tab gets its lock at once; the fencing token keeps them apart.
 */
export const createWebLocks = (manager: LockManager | undefined, clientLog: ClientLog): Locks => ({
  request(name, { steal, onHeld, onLost }) {
    let stopped = false;
    let held = false;
    const controller = new AbortController();
    const released = Promise.withResolvers<void>();
    const hold = (): Promise<void> => {
      if (stopped) return Promise.resolve();
      held = true;
      onHeld();
      return released.promise;
    };
    const run = async () => {
      try {
        // The platform rejects `steal` together with a signal.
        await manager?.request(name, steal ? { steal } : { signal: controller.signal }, hold);
        if (manager === undefined) await hold();
      } catch (error) {
        if (stopped) return;
        if (held) {
          onLost();
          return;
        }
        clientLog.write('error', 'LOCKS_REFUSED', { name, error: String(error) });
        await hold();
      }
    };
    void run();
    return () => {
      stopped = true;
      controller.abort();
      released.resolve();
    };
  },
});
