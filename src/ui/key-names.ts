const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** The labels of the keys on this device. */
export const MOD_KEY = isMac ? '⌘' : 'Ctrl';
export const SHIFT_KEY = isMac ? '⇧' : 'Shift';

/**
 * The modifiers that change rooms with an arrow key. On a Mac ⌥ with an arrow moves the caret by
 * paragraphs in every text field, and ⌃⌥ belongs to VoiceOver.
 */
export const ROOM_KEYS: readonly string[] = isMac ? ['⌘', '⌥'] : ['Alt'];

/** Whether exactly these are pressed, except for Shift. */
export const areRoomKeysHeld = (event: KeyboardEvent): boolean =>
  event.altKey && !event.ctrlKey && event.metaKey === isMac;
