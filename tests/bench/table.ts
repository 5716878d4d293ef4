import type { Spread, Summary } from './figure.ts';

/** Three digits are enough: the rest is noise. */
const toNumber = (value: number): string =>
  value.toLocaleString('en', { maximumSignificantDigits: Math.abs(value) < 1000 ? 3 : 4 });

const toCell = ({ value, low, high, count }: Spread, unit: string): string => {
  const words = `${toNumber(value)} ${unit}`.trim();
  return count === 1 ? words : `${words} [${toNumber(low)}–${toNumber(high)}]`;
};

const toTarget = (mark: number | undefined, figure: Summary): string => {
  if (mark === undefined) return '';
  const isRatio = figure.ratio !== undefined && figure.limits !== 'value';
  return isRatio ? `${toNumber(mark)}x` : `${toNumber(mark)} ${figure.unit}`.trim();
};

const toRatio = ({ ratio }: Summary): string => (ratio === undefined ? '' : `${ratio.toFixed(1)}x`);

const HEAD = [
  '',
  'what',
  'n',
  'floor',
  'measured',
  'ratio',
  'target',
  'stretch target',
  '',
] as const;

const toCells = (figure: Summary): readonly string[] => [
  figure.id,
  figure.what,
  String(figure.measured.count),
  figure.floor === undefined ? '' : toCell(figure.floor, figure.unit),
  toCell(figure.measured, figure.unit),
  toRatio(figure),
  toTarget(figure.target, figure),
  toTarget(figure.stretch, figure),
  figure.verdict === 'open' ? '' : figure.verdict,
];

/** The figures as a table of text. */
export const toTable = (figures: readonly Summary[]): string => {
  const rows = [HEAD, ...figures.map(toCells)];
  const widths = HEAD.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

const toLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/**
 * The figures as a Markdown table, with a column for the figures of an earlier build with the same
 * id and text.
 */
export const toMarkdown = (
  figures: readonly Summary[],
  before: readonly Summary[] = [],
): string => {
  const head = [...HEAD.slice(0, 4), 'before', ...HEAD.slice(4)];
  const toBefore = ({ id, what }: Summary): string => {
    const same = before.find((figure) => figure.id === id && figure.what === what);
    return same === undefined ? '' : `${toCell(same.measured, same.unit)} ${toRatio(same)}`.trim();
  };
  const rows = figures.map((figure) => {
    const cells = toCells(figure);
    return [...cells.slice(0, 4), toBefore(figure), ...cells.slice(4)];
  });
  return [head, head.map(() => '---'), ...rows].map(toLine).join('\n');
};
