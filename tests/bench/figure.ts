/** One measured job: samples of the product and, where there is one, of its floor. */
export interface Figure {
  /** Its number in the list of targets, E1 or F2 for example. */
  readonly id: string;
  readonly what: string;
  readonly unit: string;
  /** One value per sample. */
  readonly measured: readonly number[];
  /** A platform baseline (the least a browser needs for that job), one value per sample. */
  readonly floor?: readonly number[];
  /** Which value of the samples counts, 0–1; the median if absent. */
  readonly share?: number;
  /** What the targets limit: the measured value, or its ratio to the floor (default if any). */
  readonly limits?: 'value' | 'ratio';
  /** The limit of the value or the ratio; a missed one fails the run. */
  readonly target?: number;
  /** A stricter limit; missing it has no effect. */
  readonly stretch?: number;
  /** Whether less is better (the default: times, sizes, losses) or more (throughput). */
  readonly better?: 'less' | 'more';
}

/** The value that is greater than `share` (0–1) of the values. */
export const findPercentile = (values: readonly number[], share: number): number => {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

/** The middle value; of an even number, the mean of the two in the middle. */
export const findMedian = (values: readonly number[]): number => {
  const sorted = Float64Array.from(values).toSorted();
  const half = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[sorted.length % 2 === 0 ? half - 1 : half], sorted[half]];
  return (low + high) / 2;
};

/** A figure with its statistics, as `bench-results.json` lists it. */
export interface Summary extends Omit<Figure, 'measured' | 'floor'> {
  readonly measured: Spread;
  readonly floor?: Spread;
  /** How many times worse than the floor. */
  readonly ratio?: number;
  readonly verdict: Verdict;
}

/** The value that counts, the quartiles, and the number of samples. */
export interface Spread {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

/** `open`: without a target. */
export type Verdict = 'exceeded' | 'met' | 'missed' | 'open';

const toSpread = (values: readonly number[], share: number | undefined): Spread => {
  if (values.length === 0 || !values.every(Number.isFinite)) {
    throw new Error('a figure has no samples, or one that is not a number');
  }
  return {
    value: share === undefined ? findMedian(values) : findPercentile(values, share),
    low: findPercentile(values, 0.25),
    high: findPercentile(values, 0.75),
    count: values.length,
  };
};

const judge = (value: number, { target, stretch, better }: Omit<Figure, 'measured'>): Verdict => {
  const meets = (mark: number): boolean => (better === 'more' ? value >= mark : value <= mark);
  if (stretch !== undefined && meets(stretch)) return 'exceeded';
  if (target === undefined) return 'open';
  return meets(target) ? 'met' : 'missed';
};

/** Throws for samples that are absent or not numbers, and for a floor of zero. */
export const summarize = (figure: Figure): Summary => {
  const { measured: samples, floor: least, ...rest } = figure;
  const measured = toSpread(samples, figure.share);
  if (least === undefined) return { ...rest, measured, verdict: judge(measured.value, figure) };
  const floor = toSpread(least, figure.share);
  if (floor.value <= 0) throw new Error(`${figure.what}: the floor is zero`);
  const isMore = figure.better === 'more';
  const ratio = isMore ? floor.value / measured.value : measured.value / floor.value;
  const verdict =
    figure.limits === 'value'
      ? judge(measured.value, figure)
      : judge(ratio, { ...figure, better: 'less' });
  return { ...rest, measured, floor, ratio, verdict };
};
