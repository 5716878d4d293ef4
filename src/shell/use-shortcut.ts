import { useEffect, useEffectEvent } from 'react';

/** What a dialog asks comes first: no key leads away behind it. */
export const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

/** Ctrl, or Cmd on a Mac, with the key; nothing else held. */
const isPressed = (event: KeyboardEvent, key: string): boolean =>
  event.ctrlKey !== event.metaKey &&
  !event.altKey &&
  !event.shiftKey &&
  event.key.toLowerCase() === key;

/** Runs `onPress` on Ctrl or Cmd with a key, wherever the focus is outside a dialog. */
export const useShortcut = (key: string, onPress: () => void): void => {
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
