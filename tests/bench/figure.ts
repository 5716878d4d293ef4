/** One measured job: our samples and, where the platform sets a limit, those of its least cost. */
export interface Figure {
  /** Its number in the list of goals, E1 or F2 for example. */
  readonly id: string;
  readonly what: string;
  readonly unit: string;
  /** One value per sample. */
  readonly ours: readonly number[];
  /** The least that the platform needs for the job, one value per sample of the same run. */
  readonly floor?: readonly number[];
  /** Which value of the samples counts, 0–1; the median if absent. */
  readonly share?: number;
  /** What the goals limit: our value, or (the default with a floor) its ratio to the floor. */
  readonly limits?: 'value' | 'ratio';
  /** Must hold. */
  readonly reach?: number;
  /** The target beyond it. */
  readonly lead?: number;
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
export interface Summary extends Omit<Figure, 'ours' | 'floor'> {
  readonly ours: Spread;
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

/** `open`: without a goal. */
export type Verdict = 'leads' | 'reaches' | 'misses' | 'open';

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

const judge = (value: number, { reach, lead, better }: Omit<Figure, 'ours'>): Verdict => {
  const meets = (mark: number): boolean => (better === 'more' ? value >= mark : value <= mark);
  if (lead !== undefined && meets(lead)) return 'leads';
  if (reach === undefined) return 'open';
  return meets(reach) ? 'reaches' : 'misses';
};

/** Throws for samples that are absent or not numbers, and for a floor of zero. */
export const summarize = (figure: Figure): Summary => {
  const { ours: samples, floor: least, ...rest } = figure;
  const ours = toSpread(samples, figure.share);
  if (least === undefined) return { ...rest, ours, verdict: judge(ours.value, figure) };
  const floor = toSpread(least, figure.share);
  if (floor.value <= 0) throw new Error(`${figure.what}: the floor is zero`);
  const isMore = figure.better === 'more';
  const ratio = isMore ? floor.value / ours.value : ours.value / floor.value;
  const verdict =
    figure.limits === 'value'
      ? judge(ours.value, figure)
      : judge(ratio, { ...figure, better: 'less' });
  return { ...rest, ours, floor, ratio, verdict };
};
