const PREFIX = 'replay-desk-tab-';

/** Which tabs of this browser are open. */
export interface OpenTabs {
  /** Their ids; empty where the browser cannot tell. */
  list(): Promise<ReadonlySet<string>>;
}

/** Holds a Web Lock as long as this tab lives, by which the others know that it does. */
export const createOpenTabs = (manager: LockManager | undefined, tabId: string): OpenTabs => {
  const hold = (): void => {
    const left = Promise.withResolvers<void>();
    // The next page of this tab may ask before the browser has cleared up after this one.
    window.addEventListener('pagehide', () => left.resolve(), { once: true });
    manager?.request(`${PREFIX}${tabId}`, () => left.promise).catch(() => undefined);
  };
  hold();
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) hold();
  });
  return {
    list: async () => {
      const { held = [] } = (await manager?.query()) ?? {};
      const names = held.flatMap(({ name }) => (name?.startsWith(PREFIX) === true ? [name] : []));
      return new Set(names.map((name) => name.slice(PREFIX.length)));
    },
  };
};
