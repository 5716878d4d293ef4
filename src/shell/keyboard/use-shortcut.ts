import {
  isComposing,
  isDialogOpen,
  isKey,
  isMac,
  isModHeld,
  type ShortcutKey,
} from '#src/ui/key-names.ts';
import { useKeyDown } from '#src/ui/hooks/use-key-down.ts';

export const PALETTE_KEY: ShortcutKey = { writes: ['k'], code: 'KeyK' };
export const HELP_KEY: ShortcutKey = { writes: ['/', '?'], code: 'Slash', mayShift: true };

/** Ctrl, or Cmd on a Mac, with the key and no other modifier. */
export const isPressed = (event: KeyboardEvent, wanted: ShortcutKey): boolean =>
  isModHeld(event) &&
  !event.altKey &&
  !isComposing(event) &&
  (!event.shiftKey || wanted.mayShift === true) &&
  isKey(event, wanted);

/** Acts as if the user had pressed the keys of the palette, also while its code loads. */
export const openPalette = (): void => {
  const modifiers = { ctrlKey: !isMac, metaKey: isMac };
  dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ...modifiers, cancelable: true }));
};

/** Runs `onPress` on Ctrl or Cmd with a key, wherever the focus is outside a dialog. */
export const useShortcut = (key: ShortcutKey, onPress: () => void): void => {
  useKeyDown((event) => {
    if (!isPressed(event, key)) return;
    event.preventDefault();
    if (!isDialogOpen()) onPress();
  });
};
