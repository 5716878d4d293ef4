import type { ClientFigures } from './figures.ts';

/** The columns of the table of clients. */
export const COLUMNS = ['name', 'received', 'sent', 'median', 'p90', 'waiting'] as const;
export type Column = (typeof COLUMNS)[number];

export interface Order {
  readonly by: Column;
  readonly isRising: boolean;
}

const NAMES = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** The earlier a wait began, the longer it is. */
const toValue = (client: ClientFigures, by: Exclude<Column, 'name'>): number | undefined => {
  if (by !== 'waiting') return client[by];
  return client.waitingSince === undefined ? undefined : -client.waitingSince;
};

/**
 * Clients in order; those without a value come last, those with equal values are ordered by
 * messages received.
 */
export const sortClients = (
  clients: readonly ClientFigures[],
  names: ReadonlyMap<string, string>,
  { by, isRising }: Order,
): readonly ClientFigures[] => {
  const nameOf = ({ clientId }: ClientFigures): string => names.get(clientId) ?? clientId;
  const sign = isRising ? 1 : -1;
  const compare = (a: ClientFigures, b: ClientFigures): number => {
    if (by === 'name') return sign * NAMES.compare(nameOf(a), nameOf(b));
    const [one, other] = [toValue(a, by), toValue(b, by)];
    if (one === undefined || other === undefined) {
      return Number(one === undefined) - Number(other === undefined);
    }
    return sign * (one - other);
  };
  return clients.toSorted(
    (a, b) => compare(a, b) || b.received - a.received || NAMES.compare(nameOf(a), nameOf(b)),
  );
};

/** The client who has waited longest; undefined if none waits. */
export const findLongestWait = (clients: readonly ClientFigures[]): ClientFigures | undefined =>
  clients
    .filter(({ waitingSince }) => waitingSince !== undefined)
    .reduce<ClientFigures | undefined>(
      (longest, next) =>
        (longest?.waitingSince ?? Infinity) <= (next.waitingSince ?? Infinity) ? longest : next,
      undefined,
    );
