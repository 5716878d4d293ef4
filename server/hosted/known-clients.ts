import { KNOWN_CLIENTS_MAX, KNOWN_CLIENTS_MS } from '../kernel/limits.ts';

interface Known {
  readonly clientIds: readonly string[];
  /** When the product API listed them, ms since the epoch. */
  readonly at: number;
}

/**
 * The clients of each session as the product API listed them last, for use while it is down. They
 * stay in this instance's memory, limited by time and by the number of ids.
 */
export const createKnownClients = (now: () => number, idsMax = KNOWN_CLIENTS_MAX) => {
  // The lists are in order of age: every stored list moves to the end.
  const lists = new Map<string, Known>();
  let ids = 0;
  const forget = (sid: string): void => {
    ids -= lists.get(sid)?.clientIds.length ?? 0;
    lists.delete(sid);
  };
  return {
    keep: (sid: string, clientIds: readonly string[]): void => {
      forget(sid);
      lists.set(sid, { clientIds, at: now() });
      ids += clientIds.length;
      for (const [oldest, { at }] of lists) {
        if (now() - at < KNOWN_CLIENTS_MS && ids <= idsMax) break;
        forget(oldest);
      }
    },
    find: (sid: string): readonly string[] | undefined => {
      const known = lists.get(sid);
      return known && now() - known.at < KNOWN_CLIENTS_MS ? known.clientIds : undefined;
    },
    forget,
  };
};

export type KnownClients = ReturnType<typeof createKnownClients>;
