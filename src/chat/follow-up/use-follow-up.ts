import { useMemo } from 'react';

import { toBannerText } from '#domain/errors.ts';
import type { AppError } from '#domain/errors.ts';
import type { Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toRemindLabel } from '#domain/text/remind-times.ts';
import type { RoomSummary } from '#domain/rules/waiting.ts';
import { toReminderValue } from '#domain/schemas/marks.ts';
import { fromEpochMs, previousTimetoken } from '#domain/timetoken.ts';
import { useDesk } from '#src/actors/desk.ts';
import { showToast } from '#src/ui/toasts/toast-store.ts';

export interface FollowUpListener {
  /** It is stored: the room leaves what waits for the user. */
  readonly onSettled?: (() => void) | undefined;
  /** The user took it back. */
  readonly onUndone?: (() => void) | undefined;
}

/** What can be noted about a room. */
export interface FollowUp {
  /** No reply is needed until the client writes again, and no reminder. */
  done(summary: RoomSummary, listener?: FollowUpListener): void;
  /** The room returns at `at`, ms since the epoch. */
  remind(summary: RoomSummary, at: number, listener?: FollowUpListener): void;
  forgetReminder(summary: RoomSummary): void;
  /** `uid` takes care of the room from now on; empty for nobody. */
  take(summary: RoomSummary, uid: string): void;
}

const hasFailed = (results: readonly Result<unknown, AppError>[]): boolean => {
  const failed = results.find((result) => !result.ok);
  if (failed?.ok === false) showToast('error', toBannerText(failed.error));
  return failed !== undefined;
};

/** What the user notes about rooms: stored at once, online or not, and shared once online. */
export const useFollowUp = (): FollowUp => {
  const { noteMark, markRead } = useDesk();
  return useMemo(() => {
    const noteReminder = (room: RoomKey, reminder: RoomSummary['reminder']) =>
      noteMark('reminder', room, toReminderValue(reminder), true);
    const note = async (
      work: readonly Promise<Result<unknown, AppError>>[],
      text: string,
      undo: () => readonly Promise<Result<unknown, AppError>>[],
      { onSettled, onUndone }: FollowUpListener = {},
    ): Promise<void> => {
      if (hasFailed(await Promise.all(work))) return;
      onSettled?.();
      const takeBack = async (): Promise<void> => {
        if (!hasFailed(await Promise.all(undo()))) onUndone?.();
      };
      showToast('info', text, { label: 'Undo', run: () => void takeBack() });
    };
    return {
      done: ({ last: { room }, newest, waitingSince, reminder }, listener) => {
        // Whoever says so has seen it.
        void markRead(room, newest);
        const work = [
          ...(waitingSince === undefined ? [] : [noteMark('done', room, newest, false)]),
          ...(reminder === undefined ? [] : [noteReminder(room, undefined)]),
        ];
        const undo = () => [
          ...(waitingSince === undefined
            ? []
            : [noteMark('done', room, previousTimetoken(waitingSince), true)]),
          ...(reminder === undefined ? [] : [noteReminder(room, reminder)]),
        ];
        void note(work, 'Done. No reply needed.', undo, listener);
      },
      remind: ({ last: { room }, newest, reminder }, at, listener) => {
        void markRead(room, newest);
        void note(
          [noteReminder(room, { due: fromEpochMs(at), upTo: newest })],
          `Reminder: ${toRemindLabel(at, Date.now())}.`,
          () => [noteReminder(room, reminder)],
          listener,
        );
      },
      forgetReminder: ({ last: { room }, reminder }) => {
        void note([noteReminder(room, undefined)], 'Reminder removed.', () => [
          noteReminder(room, reminder),
        ]);
      },
      take: ({ last: { room }, takenBy = '' }, uid) => {
        void note(
          [noteMark('taken', room, uid, true)],
          uid === '' ? 'Nobody takes care of this room now.' : 'You take care of this room.',
          () => [noteMark('taken', room, takenBy, true)],
        );
      },
    };
  }, [noteMark, markRead]);
};
