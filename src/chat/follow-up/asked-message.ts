import { useSyncExternalStore } from 'react';

import { createListeners } from '#domain/listeners.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';

/** The message for whose room the user sets a reminder. */
export interface AskedMessage {
  readonly room: RoomKey;
  /** Its position; undefined until it was sent. */
  readonly at: Timetoken | undefined;
  /** Its first line. */
  readonly line: string;
  /** The button that gets the focus afterwards. */
  readonly button: HTMLElement | null;
}

let asked: AskedMessage | undefined;
const listeners = createListeners();

/**
 * Opens the dialog of reminders. The room of the message shows it: the message itself may leave the
 * thread meanwhile.
 */
export const askAbout = (next: AskedMessage): void => {
  asked = next;
  listeners.emit();
};

/** Closes the dialog of a room. */
export const closeAsked = (room: RoomKey): void => {
  if (asked?.room !== room) return;
  asked = undefined;
  listeners.emit();
};

export const useAskedMessage = (room: RoomKey): AskedMessage | undefined => {
  const message = useSyncExternalStore(listeners.add, () => asked);
  return message?.room === room ? message : undefined;
};
