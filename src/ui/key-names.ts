const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** What is written on the keys of this device. */
export const MOD_KEY = isMac ? '⌘' : 'Ctrl';
export const SHIFT_KEY = isMac ? '⇧' : 'Shift';

/**
 * What is held with an arrow key to go from room to room. On a Mac ⌥ with an arrow moves the
 * caret by paragraphs in every text field, and ⌃⌥ belongs to VoiceOver.
 */
export const ROOM_KEYS: readonly string[] = isMac ? ['⌘', '⌥'] : ['Alt'];

/** Whether exactly these are held, Shift aside. */
export const areRoomKeysHeld = (event: KeyboardEvent): boolean =>
  event.altKey && !event.ctrlKey && event.metaKey === isMac;
