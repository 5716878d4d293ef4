import { isComposing, isDialogOpen, isKey, type ShortcutKey } from '#src/ui/key-names.ts';
import { useKeyDown } from '#src/ui/hooks/use-key-down.ts';

export const PALETTE_KEY: ShortcutKey = { writes: ['k'], code: 'KeyK' };
export const HELP_KEY: ShortcutKey = { writes: ['/', '?'], code: 'Slash', mayShift: true };

/** Ctrl, or Cmd on a Mac, with the key and no other modifier. */
export const isPressed = (event: KeyboardEvent, wanted: ShortcutKey): boolean =>
  event.ctrlKey !== event.metaKey &&
  !event.altKey &&
  !isComposing(event) &&
  (!event.shiftKey || wanted.mayShift === true) &&
  isKey(event, wanted);

/** Acts as if the user had pressed Ctrl with K, also while the code of the palette loads. */
export const openPalette = (): void => {
  dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, cancelable: true }));
};

/** Runs `onPress` on Ctrl or Cmd with a key, wherever the focus is outside a dialog. */
export const useShortcut = (key: ShortcutKey, onPress: () => void): void => {
  useKeyDown((event) => {
    if (!isPressed(event, key)) return;
    event.preventDefault();
    if (!isDialogOpen()) onPress();
  });
};
