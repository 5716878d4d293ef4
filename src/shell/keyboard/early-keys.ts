import { useLayoutEffect } from 'react';

import { areRoomKeysHeld } from '#src/ui/key-names.ts';

import { HELP_KEY, isPressed, PALETTE_KEY } from './use-shortcut.ts';

let { promise, resolve } = Promise.withResolvers<void>();
let early: KeyboardEvent | undefined;

/** Resolves when a shortcut is pressed before the code of the shortcuts has loaded. */
export const waitForEarlyKey = (): Promise<void> => promise;

const forgetEarlyKey = (): void => {
  early = undefined;
};

/** Takes the place of the shortcuts until they have loaded: remembers the last one pressed. */
export const EarlyKeys = () => {
  // Listens from the moment the frame is shown.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      // Without this, Ctrl+K opens the browser's own search.
      if (isPressed(event, PALETTE_KEY) || isPressed(event, HELP_KEY)) event.preventDefault();
      else if (!areRoomKeysHeld(event) || !event.key.startsWith('Arrow')) return;
      early = event;
      // A user who continues with something else no longer wants it.
      window.addEventListener('pointerdown', forgetEarlyKey, { once: true });
      window.addEventListener('beforeinput', forgetEarlyKey, { once: true });
      resolve();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return null;
};

/** The shortcuts did not load: the pressed key would be outdated by the time they do. */
export const dropEarlyKey = (): void => {
  forgetEarlyKey();
  ({ promise, resolve } = Promise.withResolvers<void>());
};

/**
 * Repeats the key for the shortcuts, which are listening now; room keys once the rooms are known.
 */
export const repeatEarlyKey = (areRoomsKnown: boolean): void => {
  const pressed = early;
  if (pressed === undefined || (areRoomKeysHeld(pressed) && !areRoomsKnown)) return;
  forgetEarlyKey();
  window.dispatchEvent(new KeyboardEvent('keydown', pressed));
};
