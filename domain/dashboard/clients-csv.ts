import { toIso } from '../text/date-label.ts';
import type { ClientFigures } from './figures.ts';

/** A cell that a spreadsheet would take for a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/u;
/**
 * Characters that need quotes, including all separators of spreadsheets: the rest would become a
 * new cell.
 */
const SPECIAL = /[",;\t\r\n]/u;

const toCell = (value: string | number | undefined): string => {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** A table as RFC 4180 describes it, with a byte order mark: Excel needs it to read UTF-8. */
const toCsv = (rows: readonly (readonly (string | number | undefined)[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('')}`;

const HEAD = [
  'Client',
  'Received',
  'Sent',
  'First responses',
  'Median first response (min)',
  '90th percentile (min)',
  'Waiting since',
];
const MINUTE_MS = 60_000;

const toMinutes = (ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : Math.round(ms / MINUTE_MS);

/** The figures of each client as a file; `names` by client id. */
export const toClientsCsv = (
  clients: readonly ClientFigures[],
  names: ReadonlyMap<string, string>,
): string =>
  toCsv([
    HEAD,
    ...clients.map((client) => [
      names.get(client.clientId) ?? client.clientId,
      client.received,
      client.sent,
      client.answers,
      toMinutes(client.median),
      toMinutes(client.p90),
      client.waitingSince === undefined ? undefined : toIso(client.waitingSince),
    ]),
  ]);
