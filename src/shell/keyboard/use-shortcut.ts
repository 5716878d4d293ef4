import { useEffect, useEffectEvent } from 'react';

/** While a dialog is open, no shortcut navigates behind it. */
export const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

/** A shortcut's key: its character, and the physical key for layouts without Latin letters. */
export interface ShortcutKey {
  /** Any of these, in lower case. */
  readonly writes: readonly string[];
  /** `KeyboardEvent.code` */
  readonly code: string;
  /** Many layouts have it on the shifted level. */
  readonly mayShift?: true;
}

export const PALETTE_KEY: ShortcutKey = { writes: ['k'], code: 'KeyK' };
export const HELP_KEY: ShortcutKey = { writes: ['/', '?'], code: 'Slash', mayShift: true };

const ASCII = /^[\u0020-\u007e]$/;

const isKey = ({ key, code }: KeyboardEvent, wanted: ShortcutKey): boolean =>
  ASCII.test(key) ? wanted.writes.includes(key.toLowerCase()) : code === wanted.code;

/** Ctrl, or Cmd on a Mac, with the key and no other modifier. */
export const isPressed = (event: KeyboardEvent, wanted: ShortcutKey): boolean =>
  event.ctrlKey !== event.metaKey &&
  !event.altKey &&
  !event.isComposing &&
  (!event.shiftKey || wanted.mayShift === true) &&
  isKey(event, wanted);

/** Runs `onPress` on Ctrl or Cmd with a key, wherever the focus is outside a dialog. */
export const useShortcut = (key: ShortcutKey, onPress: () => void): void => {
  const press = useEffectEvent(onPress);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isPressed(event, key)) return;
      event.preventDefault();
      if (!isDialogOpen()) press();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [key]);
};
