/** One measured promise. */
export interface Figure {
  /** Its number in the list of promises, E1 for example. */
  readonly id: string;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Must hold. */
  readonly floor: number;
  /** The target beyond it. */
  readonly lead?: number;
  /** Whether less is better (times, sizes, losses) or more (throughput). */
  readonly better: 'less' | 'more';
}

const reaches = ({ value, better }: Figure, mark: number): boolean =>
  better === 'less' ? value <= mark : value >= mark;

export const holdsFloor = (figure: Figure): boolean => reaches(figure, figure.floor);

const toVerdict = (figure: Figure): string => {
  if (!holdsFloor(figure)) return 'MISSED';
  return figure.lead !== undefined && reaches(figure, figure.lead) ? 'leads' : 'holds';
};

const toCells = (figure: Figure): readonly string[] => [
  figure.id,
  figure.what,
  `${Number(figure.value.toFixed(2))} ${figure.unit}`,
  String(figure.floor),
  figure.lead === undefined ? '' : String(figure.lead),
  toVerdict(figure),
];

/** The figures as a table of text. */
export const toTable = (figures: readonly Figure[]): string => {
  const rows = [['', 'what', 'measured', 'floor', 'lead', ''], ...figures.map(toCells)];
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** The value that is greater than `share` (0–1) of the values. */
export const findPercentile = (values: readonly number[], share: number): number => {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};
