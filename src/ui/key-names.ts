export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** The labels of the keys on this device. */
export const MOD_KEY = isMac ? '⌘' : 'Ctrl';
export const SHIFT_KEY = isMac ? '⇧' : 'Shift';

/** Whether a focused field opens a keyboard over the page. */
export const isTouch = (): boolean =>
  window.matchMedia('(hover: none) and (pointer: coarse)').matches;

/**
 * The modifiers that change rooms with an arrow key. On a Mac ⌥ with an arrow moves the caret by
 * paragraphs in every text field, and ⌃⌥ belongs to VoiceOver.
 */
export const ROOM_KEYS: readonly string[] = isMac ? ['⌘', '⌥'] : ['Alt'];

/**
 * Whether Ctrl, or ⌘ on a Mac, is pressed without the other one: ⌃ with a letter edits text in
 * every field of a Mac.
 */
export const isModHeld = ({ ctrlKey, metaKey }: KeyboardEvent): boolean =>
  metaKey === isMac && ctrlKey !== isMac;

/** Whether exactly these are pressed, except for Shift. */
export const areRoomKeysHeld = (event: KeyboardEvent): boolean =>
  event.altKey && !event.ctrlKey && event.metaKey === isMac;

/** A shortcut's key: its character, and the physical key for layouts without Latin letters. */
export interface ShortcutKey {
  /** Any of these, in lower case. */
  readonly writes: readonly string[];
  /** `KeyboardEvent.code` */
  readonly code: string;
  /** Many layouts have it on the shifted level. */
  readonly mayShift?: true;
}

const ASCII = /^[\u0020-\u007e]$/;

export const isKey = ({ key, code }: KeyboardEvent, wanted: ShortcutKey): boolean =>
  ASCII.test(key) ? wanted.writes.includes(key.toLowerCase()) : code === wanted.code;

/** What browsers report for keys that an input method handles. */
const COMPOSING_KEY_CODE = 229;

/** A key of an input method. Safari ends the composition before the Enter that accepts its text. */
export const isComposing = (event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  event.isComposing || event.keyCode === COMPOSING_KEY_CODE;

/** While a dialog is open, no shortcut navigates behind it. */
export const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;
