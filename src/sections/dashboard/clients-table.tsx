import { useRef } from 'react';

import { toDurationLabel } from '#domain/dashboard/duration-label.ts';
import type { ClientFigures } from '#domain/dashboard/figures.ts';
import { type Column, COLUMNS, type Order, sortClients } from '#domain/dashboard/clients.ts';
import { toWorkingMs } from '#domain/dashboard/working-time.ts';
import { toClientPath } from '#domain/routes.ts';
import { Link } from '#src/ui/address.tsx';
import { PlainButton } from '#src/ui/plain-button.tsx';
import { useNextFocus } from '#src/ui/hooks/use-next-focus.ts';

import classes from './clients-table.module.css';
import type { Waits } from './totals.tsx';
import { usePrinting } from './use-printing.ts';

/** Rows shown at first, and how many more at a time. */
const PAGE = 50;

/** What the table shows of the clients. */
export interface TableView {
  readonly order: Order;
  /** Number of rows. */
  readonly shown: number;
}

export const FIRST_TABLE: TableView = { order: { by: 'waiting', isRising: false }, shown: PAGE };

const TITLES: Readonly<Record<Column, string>> = {
  name: 'Client',
  received: 'Received',
  sent: 'Sent',
  median: 'First response',
  p90: '90% within',
  waiting: 'Waiting',
};

const Heading = ({
  column,
  order,
  onOrder,
}: {
  readonly column: Column;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}) => {
  const isSorted = order.by === column;
  const direction = order.isRising ? 'ascending' : 'descending';
  return (
    <th scope="col" aria-sort={isSorted ? direction : undefined} data-column={column}>
      <button
        type="button"
        className={classes['sort']}
        onClick={() =>
          onOrder({ by: column, isRising: isSorted ? !order.isRising : column === 'name' })
        }
      >
        {TITLES[column]}
        {isSorted && (
          <span aria-hidden className={classes['arrow']}>
            {order.isRising ? '↑' : '↓'}
          </span>
        )}
      </button>
    </th>
  );
};

const Row = ({
  client,
  name,
  waits: { now, hours },
}: {
  readonly client: ClientFigures;
  readonly name: string;
  readonly waits: Waits;
}) => {
  const { clientId, received, sent, median, p90, waitingSince } = client;
  const wait = waitingSince && toWorkingMs(waitingSince, now, hours);
  const toLabel = (ms: number | undefined): string => toDurationLabel(ms, hours !== undefined);
  return (
    <tr>
      <th scope="row" aria-label={name}>
        <Link to={toClientPath(clientId)} className={classes['link'] ?? ''}>
          <bdi>{name}</bdi>
        </Link>
      </th>
      <td>{received}</td>
      <td>{sent}</td>
      <td>{toLabel(median)}</td>
      <td>{toLabel(p90)}</td>
      <td>{toLabel(wait)}</td>
    </tr>
  );
};

interface ClientsTableProps {
  readonly clients: readonly ClientFigures[];
  /** By client id. */
  readonly names: ReadonlyMap<string, string>;
  readonly waits: Waits;
  readonly table: TableView;
  readonly onChange: (table: TableView) => void;
}

/** The figures of each client. */
export const ClientsTable = ({ clients, names, waits, table, onChange }: ClientsTableProps) => {
  const { order, shown } = table;
  const body = useRef<HTMLTableSectionElement>(null);
  const sorted = sortClients(clients, names, order);
  const rows = usePrinting() ? sorted : sorted.slice(0, shown);
  const { ask } = useNextFocus(body, rows.length);
  return (
    <section className={classes['root']} aria-labelledby="clients-title">
      <h2 id="clients-title" className={classes['heading']}>
        Clients
      </h2>
      {clients.length === 0 && <p className={classes['none']}>No messages in this period.</p>}
      {clients.length > 0 && (
        <div
          className={classes['scroll']}
          tabIndex={0}
          role="region"
          aria-label="Clients, scrollable"
        >
          <table className={classes['table']} aria-label="Clients">
            <thead>
              <tr>
                {COLUMNS.map((column) => (
                  <Heading
                    key={column}
                    column={column}
                    order={order}
                    onOrder={(next) => onChange({ order: next, shown })}
                  />
                ))}
              </tr>
            </thead>
            <tbody ref={body}>
              {rows.map((client) => (
                <Row
                  key={client.clientId}
                  client={client}
                  name={names.get(client.clientId) ?? client.clientId}
                  waits={waits}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {sorted.length > rows.length && (
        <PlainButton
          kind="pill"
          text={`Show ${Math.min(PAGE, sorted.length - shown)} more`}
          onClick={() => {
            ask();
            onChange({ order, shown: shown + PAGE });
          }}
        />
      )}
    </section>
  );
};
