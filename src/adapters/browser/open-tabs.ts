const PREFIX = 'replay-desk-tab-';

export interface OpenTabs {
  /** Their ids; empty if the browser cannot list them. */
  list(): Promise<ReadonlySet<string>>;
}

/** Holds a Web Lock while this tab is open, so that other tabs can see that it is. */
export const createOpenTabs = (manager: LockManager | undefined, tabId: string): OpenTabs => {
  const hold = (): void => {
    const left = Promise.withResolvers<void>();
    // The next page of this tab may query the locks before the browser has released this one.
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
