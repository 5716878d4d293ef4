import { isClientId, isRoomKey, type RoomKey } from '../rooms.ts';
import type { MarkLogName } from './mark-log.ts';
import { isTimetoken, type Timetoken, TIMETOKEN_ZERO } from '../timetoken.ts';

/**
 * The kinds of marks, and the log in which devices share each. For a room: `read`: the position up
 * to which the user has read; `unread`: the position after which it counts as unread regardless;
 * `done`: the position up to which no reply is needed; `reminder`: when the room returns; `taken`:
 * the uid to which the room is assigned. Choices of a user: `muted`: a room or a client; `pinned`:
 * a client; `setting`: the setting that the key names.
 */
const MARK_LOGS = {
  read: 'own',
  unread: 'own',
  done: 'staff',
  reminder: 'own',
  taken: 'staff',
  muted: 'own',
  pinned: 'own',
  setting: 'own',
} as const satisfies Readonly<Record<string, MarkLogName>>;
export type MarkKind = keyof typeof MARK_LOGS;

/** The kinds of marks for a user's choices. */
export const CHOICE_KINDS = ['muted', 'pinned', 'setting'] as const satisfies readonly MarkKind[];
export type ChoiceKind = (typeof CHOICE_KINDS)[number];
/** The kinds of marks for rooms. */
export type RoomMarkKind = Exclude<MarkKind, ChoiceKind>;

/** The kinds that this version supports. */
export const MARK_KINDS = Object.keys(MARK_LOGS).join(' ');

/**
 * One mark. Of two with the same key the later turn wins, in the same turn the greater value:
 * devices agree regardless of the order in which they read them. Undoing a mark begins a new turn.
 */
export interface Mark {
  /** A non-negative integer. */
  readonly turn: number;
  readonly value: string;
}

/** By `toMarkKey`. */
export type Marks = ReadonlyMap<string, Mark>;

/** The last turn, after which nothing can be undone; no user undoes so often. */
export const TURN_MAX = 1_000_000_000;

/** Characters that need no escape in JSON, so that the size of a mark has a limit. */
const VALUE = /^[ !#-[\]-~]{0,64}$/;

/** "done:c_001/team", "setting:sound". The subject is a room, a client id, or a setting's name. */
export const toMarkKey = (kind: MarkKind, subject: string): string => `${kind}:${subject}`;

const isKind = (kind: string): kind is MarkKind => Object.hasOwn(MARK_LOGS, kind);

const isChoice = (kind: string): kind is ChoiceKind => CHOICE_KINDS.some((each) => each === kind);

export type MarkedSubject =
  | { readonly kind: RoomMarkKind; readonly room: RoomKey }
  | { readonly kind: ChoiceKind; readonly subject: string; readonly room?: undefined };

/** Undefined for marks of an unknown kind. */
export const parseMarkKey = (key: string): MarkedSubject | undefined => {
  const colon = key.indexOf(':');
  const [kind, subject] = [key.slice(0, colon), key.slice(colon + 1)];
  if (!isKind(kind)) return undefined;
  if (isChoice(kind)) return { kind, subject };
  return isRoomKey(subject) ? { kind, room: subject } : undefined;
};

/** The log to which a mark belongs; undefined for an unknown kind. */
export const findMarkLog = (key: string): MarkLogName | undefined => {
  const known = parseMarkKey(key);
  return known && MARK_LOGS[known.kind];
};

/** Keys of this version and, presumably, of later ones. */
const KEY = /^([a-z]{1,16}):(.{1,96})$/;
const PAIR = /^\d{17}\.\d{17}$/;
const REMINDER = /^\d{17}\.\d{17}(?:\.\d{17})?$/;
/** Empty for nobody. A user whose uid does not match cannot take a room. */
const ASSIGNEE = /^[\w.@+:-]{0,64}$/;

export const canBeAssigned = (uid: string): boolean => ASSIGNEE.test(uid);

/**
 * Whether a device may have made this mark before `latest`. A later version may support more
 * subjects, and more values of a setting: they are stored, and ignored when they are read.
 */
const isPossible = (key: string, value: string, latest: Timetoken): boolean => {
  const [, kind = '', subject] = KEY.exec(key) ?? [];
  if (!VALUE.test(value) || !(isRoomKey(subject) || isClientId(subject))) return false;
  if (isChoice(kind) || !isKind(kind)) return true;
  if (!isRoomKey(subject)) return false;
  if (kind === 'reminder') return value === '' || REMINDER.test(value);
  if (kind === 'unread') return PAIR.test(value) && value.split('.').every((at) => at <= latest);
  if (kind === 'taken') return canBeAssigned(value);
  return isTimetoken(value) && value <= latest;
};

const isTurn = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= TURN_MAX;

/**
 * Parses `[turn, value]` as it is stored and sent. Positions after `latest` are refused: no user
 * can have read a message before it was written. Marks of an unknown kind are kept, because a later
 * version made them.
 */
export const parseMark = (key: string, stored: unknown, latest: Timetoken): Mark | undefined => {
  const [turn, value]: readonly unknown[] = Array.isArray(stored) ? stored : [];
  if (!isTurn(turn) || typeof value !== 'string') return undefined;
  return isPossible(key, value, latest) ? { turn, value } : undefined;
};

/** Whether a mark wins over the known one. */
export const isLaterMark = (mark: Mark, known: Mark | undefined): boolean =>
  known === undefined ||
  mark.turn > known.turn ||
  (mark.turn === known.turn && mark.value > known.value);

/** The winning mark of each key. */
export const mergeMarks = (some: Marks, others: Marks): Marks => {
  const merged = new Map(some);
  for (const [key, mark] of others) if (isLaterMark(mark, merged.get(key))) merged.set(key, mark);
  return merged;
};

/** The marks that win over those of `known`. */
export const findNewMarks = (marks: Marks, known: Marks): Marks =>
  new Map([...marks].filter(([key, mark]) => isLaterMark(mark, known.get(key))));

/** The turn of a mark that undoes the known one. */
export const toNextTurn = (known: Mark | undefined): number =>
  known === undefined ? 0 : Math.min(known.turn + 1, TURN_MAX);

/**
 * A change of one mark. An empty value removes a reminder, or leaves the room to everybody. With
 * `expected` it changes that value only: another user or device may have changed it.
 */
export type ChangedMark = { readonly expected?: string } & (
  | { readonly kind: 'reminder' | 'taken'; readonly value: string }
  /** A smaller position than the known one changes nothing unless it undoes that (`back`). */
  | { readonly kind: 'done'; readonly value: Timetoken; readonly back?: boolean }
);

/**
 * The mark that a change makes; undefined if there is nothing to change. Positions rise within a
 * turn. Every other change begins a new turn, and so wins over all that was known when it was made.
 */
export const toNextMark = (known: Mark | undefined, change: ChangedMark): Mark | undefined => {
  const { value, expected } = change;
  if (expected !== undefined && expected !== (known?.value ?? '')) return undefined;
  if (known === undefined) return { turn: 0, value };
  if (value === known.value) return undefined;
  const isNewTurn = change.kind !== 'done' || (change.back === true && value < known.value);
  const next = { turn: isNewTurn ? toNextTurn(known) : known.turn, value };
  return isLaterMark(next, known) ? next : undefined;
};

/** The position up to which a room needs no reply; zero without a mark. */
export const findDone = (marks: Marks, room: RoomKey): Timetoken => {
  const value = marks.get(toMarkKey('done', room))?.value;
  return isTimetoken(value) ? value : TIMETOKEN_ZERO;
};

/** When a room returns. */
export interface Reminder {
  readonly due: Timetoken;
  /** The newest entry of the room when the reminder was made. */
  readonly upTo: Timetoken;
  /** The position of the message that it is about. */
  readonly about?: Timetoken;
}

/** Without a reminder, the value is empty. */
export const toReminderValue = (reminder: Reminder | undefined): string =>
  reminder === undefined
    ? ''
    : [reminder.due, reminder.upTo, reminder.about].filter(Boolean).join('.');

/** The reminder of a room, due or not. */
export const findReminder = (marks: Marks, room: RoomKey): Reminder | undefined => {
  const [due, upTo, about] = marks.get(toMarkKey('reminder', room))?.value.split('.') ?? [];
  if (!isTimetoken(due) || !isTimetoken(upTo)) return undefined;
  return isTimetoken(about) ? { due, upTo, about } : { due, upTo };
};

/** The uid to which a room is assigned. */
export const findAssignee = (marks: Marks, room: RoomKey): string | undefined =>
  marks.get(toMarkKey('taken', room))?.value || undefined;

/**
 * A user's choices, shared by all of the user's devices: values by the keys of marks in the user
 * log ("muted:c_001", "setting:sound"). Each mark holds one choice, so that different choices made
 * on several devices at once are all kept. An absent value is the empty one: nothing was chosen.
 */
export type Choices = ReadonlyMap<string, string>;

/** The value of a choice that is on, muted or pinned. */
export const CHOSEN = '1';

export const toSwitchValue = (isOn: boolean): string => (isOn ? CHOSEN : '');

/** The choices that differ, with their values afterwards. */
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
 * The marks of choices that an earlier version stored on one device only. A later choice, on
 * whichever device, wins over them.
 */
const toFirstMarks = (choices: Choices): Marks =>
  new Map(
    [...choices].flatMap(([key, value]) =>
      value === '' ? [] : [[key, { turn: 0, value }] as const],
    ),
  );

/** The known marks, merged with the choices that an earlier version stored. */
export const withEarlier = (known: Marks, earlier: Choices): Marks =>
  mergeMarks(toFirstMarks(earlier), known);

/**
 * The mark of a choice made now; undefined if the value is already known. Each choice begins a new
 * turn.
 */
export const toChoiceMark = (known: Mark | undefined, value: string): Mark | undefined =>
  value === (known?.value ?? '')
    ? undefined
    : { turn: Math.min((known?.turn ?? 0) + 1, TURN_MAX), value };
