import type { Scene, ScriptLine } from './script.ts';

/** A line with its time, ms since the epoch. */
export interface TimedLine extends ScriptLine {
  readonly at: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** The newest message of a room is at least this old. */
const NEWEST_AGE_MS = 2 * MINUTE_MS;
const TYPING_MS_PER_CHARACTER = 220;
const REACTION_MIN_MS = 6 * SECOND_MS;
const REACTION_SPREAD_MS = 5 * MINUTE_MS;

/** 0 to 1, the same for the same text: seeding twice gives the same conversation. */
const toChance = (text: string): number => {
  let hash = 7;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return hash / 9973;
};

/** Time to reply (mostly short, sometimes minutes) and to type. */
const toPause = ({ text }: ScriptLine): number =>
  REACTION_MIN_MS +
  toChance(text) ** 3 * REACTION_SPREAD_MS +
  text.length * TYPING_MS_PER_CHARACTER;

const toStart = (start: Scene['start'], now: number): number => {
  if ('minutesAgo' in start) return now - start.minutesAgo * MINUTE_MS;
  const day = new Date(now);
  day.setDate(day.getDate() - start.daysAgo);
  return day.setHours(
    start.hour,
    start.minute,
    Math.floor(toChance(JSON.stringify(start)) * 60),
    0,
  );
};

/** Moves lines that would be later than `newest` before it, in order. */
const keepPast = (lines: readonly TimedLine[], newest: number): readonly TimedLine[] => {
  const kept: TimedLine[] = [];
  for (const line of lines.toReversed()) {
    const latest = (kept.at(-1)?.at ?? newest + SECOND_MS) - SECOND_MS;
    kept.push({ ...line, at: Math.min(line.at, latest) });
  }
  return kept.toReversed();
};

/**
 * Times for a room's lines: each scene begins at its own time and continues at typing speed.
 * Lines stay in order and in the past, at any time of day.
 */
export const toTimeline = (scenes: readonly Scene[], now: number): readonly TimedLine[] => {
  const timed: TimedLine[] = [];
  for (const { start, lines } of scenes) {
    let at = Math.max(toStart(start, now), (timed.at(-1)?.at ?? 0) + MINUTE_MS);
    for (const line of lines) {
      timed.push({ ...line, at: Math.floor(at) });
      at += toPause(line);
    }
  }
  return keepPast(timed, now - NEWEST_AGE_MS);
};
