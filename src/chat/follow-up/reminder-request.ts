import { useSyncExternalStore } from 'react';

import { createListeners } from '#domain/listeners.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';

/** The message for whose room the user sets a reminder. */
export interface ReminderRequest {
  readonly room: RoomKey;
  /** Its position; undefined until it was sent. */
  readonly at: Timetoken | undefined;
  /** Its first line. */
  readonly line: string;
  /** The button that gets the focus afterwards. */
  readonly button: HTMLElement | null;
}

let requested: ReminderRequest | undefined;
const listeners = createListeners();

/**
 * Opens the dialog of reminders. The room of the message shows it: the message itself may leave the
 * thread meanwhile.
 */
export const requestReminder = (next: ReminderRequest): void => {
  requested = next;
  listeners.emit();
};

/** Closes the dialog of a room. */
export const closeReminderRequest = (room: RoomKey): void => {
  if (requested?.room !== room) return;
  requested = undefined;
  listeners.emit();
};

export const useReminderRequest = (room: RoomKey): ReminderRequest | undefined => {
  const request = useSyncExternalStore(listeners.add, () => requested);
  return request?.room === room ? request : undefined;
};
