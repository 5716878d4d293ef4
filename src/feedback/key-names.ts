const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** What is written on the keys of this device. */
export const MOD_KEY = isMac ? '⌘' : 'Ctrl';
export const ALT_KEY = isMac ? '⌥' : 'Alt';
