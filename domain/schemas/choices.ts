import { type Mark, type Marks, TURN_MAX, uniteMarks } from './marks.ts';

/**
 * What a user chose, the same on all of the user's devices: values by the keys of marks in the own
 * log ("muted:c_001", "setting:sound"). Each says one thing, so that devices on which different
 * things are chosen at once lose none of them. An absent value is the empty one: nothing was chosen.
 */
export type Choices = ReadonlyMap<string, string>;

/** What is on or muted. */
export const CHOSEN = '1';

export const toSwitchValue = (isOn: boolean): string => (isOn ? CHOSEN : '');

/** What differs, as it is afterwards. */
export const findChanged = (before: Choices, after: Choices): Choices =>
  new Map(
    [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
      const value = after.get(key) ?? '';
      return value === (before.get(key) ?? '') ? [] : [[key, value] as const];
    }),
  );

export const toChoices = (marks: Marks): Choices =>
  new Map(Array.from(marks, ([key, { value }]) => [key, value]));

/**
 * The marks of choices that an earlier version kept on a device alone: whatever was chosen since, on
 * any device, wins over them.
 */
const toFirstMarks = (choices: Choices): Marks =>
  new Map(
    [...choices].flatMap(([key, value]) =>
      value === '' ? [] : [[key, { turn: 0, value }] as const],
    ),
  );

/** What is known together with what an earlier version kept. */
export const withEarlier = (known: Marks, earlier: Choices): Marks =>
  uniteMarks(toFirstMarks(earlier), known);

/** The mark of a choice made now; undefined if that is known. Each choice begins a turn. */
export const toChoiceMark = (known: Mark | undefined, value: string): Mark | undefined =>
  value === (known?.value ?? '')
    ? undefined
    : { turn: Math.min((known?.turn ?? 0) + 1, TURN_MAX), value };
