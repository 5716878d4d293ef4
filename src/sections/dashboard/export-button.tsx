import { toClientsCsv } from '#domain/dashboard/clients-csv.ts';
import { type Order, sortClients } from '#domain/dashboard/clients.ts';
import type { ClientFigures } from '#domain/dashboard/figures.ts';
import { PlainButton } from '#src/ui/plain-button.tsx';

/** How long the address of a file stays valid: the download reads it after this task, ms. */
const ADDRESS_MS = 30_000;

/** The local date, as file names sort it. */
const toDate = (epochMs: number): string => {
  const date = new Date(epochMs);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
};

const toFileName = (from: number, to: number): string =>
  `replay-desk-${toDate(from)}-to-${toDate(to)}.csv`;

const saveFile = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), ADDRESS_MS);
};

interface ExportButtonProps {
  /** Undefined until they are counted. */
  readonly clients: readonly ClientFigures[] | undefined;
  /** By client id. */
  readonly names: ReadonlyMap<string, string>;
  readonly order: Order;
  /** Its ends, ms since the epoch. */
  readonly period: { readonly from: number; readonly to: number };
}

/** Saves the table of clients as a file, in its order. */
export const ExportButton = ({ clients, names, order, period }: ExportButtonProps) => (
  <PlainButton
    kind="pill"
    text="Export CSV"
    disabled={clients === undefined}
    onClick={() => {
      if (clients === undefined) return;
      const sorted = sortClients(clients, names, order);
      saveFile(toFileName(period.from, period.to), toClientsCsv(sorted, names));
    }}
  />
);
