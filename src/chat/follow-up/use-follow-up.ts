import { useMemo } from 'react';

import { type AppError, toBannerText } from '#domain/errors.ts';
import type { Note } from '#domain/ports/storage.ts';
import type { RoomSummary } from '#domain/rules/waiting.ts';
import { toReminderValue } from '#domain/schemas/marks.ts';
import { toRemindLabel } from '#domain/text/remind-times.ts';
import { fromEpochMs, previousTimetoken } from '#domain/timetoken.ts';
import { useDesk } from '#src/actors/desk.ts';
import { showToast } from '#src/ui/toasts/toast-store.ts';

/** What a note is about. */
export interface Subject {
  readonly summary: RoomSummary;
  /** "Maya Okafor · Team" */
  readonly place: string;
  /** It is stored: the room leaves what waits for the user. */
  readonly onSettled?: (() => void) | undefined;
  /** The user took it back. */
  readonly onUndone?: (() => void) | undefined;
}

/** What can be noted about a room. */
export interface FollowUp {
  /** No reply is needed until the client writes again, and no reminder. */
  readonly done: (subject: Subject) => void;
  /** A reply is needed after all. */
  readonly reopen: (subject: Subject) => void;
  /** The room returns at `at`, ms since the epoch. */
  readonly remind: (subject: Subject, at: number) => void;
  readonly forgetReminder: (subject: Subject) => void;
  /** `uid` takes care of the room from now on; empty for nobody. */
  readonly take: (subject: Subject, uid: string) => void;
}

const toReminderNote = (
  { last: { room } }: RoomSummary,
  reminder: RoomSummary['reminder'],
): Note => ({
  kind: 'reminder',
  room,
  value: toReminderValue(reminder),
  back: true,
});

/** The room needs no reply, or waits again since `waitingSince`. */
const toDoneNote = (
  { last: { room }, newest, waitingSince }: RoomSummary,
  back: boolean,
): Note => ({
  kind: 'done',
  room,
  value: back ? previousTimetoken(waitingSince ?? newest) : newest,
  back,
});

const FULL = "This device's storage is full. Free up space, then try again.";

const showError = (error: AppError): void =>
  showToast('error', error.kind === 'quota' ? FULL : toBannerText(error));

/** What the user notes about rooms: stored at once, online or not, and shared once online. */
export const useFollowUp = (): FollowUp => {
  const { noteMarks, markRead } = useDesk();
  return useMemo(() => {
    const note = async (
      { place, onSettled, onUndone }: Subject,
      text: string,
      notes: readonly Note[],
      undo: readonly Note[],
    ): Promise<void> => {
      const stored = await noteMarks(notes);
      if (!stored.ok) return showError(stored.error);
      onSettled?.();
      const takeBack = async (): Promise<void> => {
        const taken = await noteMarks(undo);
        if (taken.ok) onUndone?.();
        else showError(taken.error);
      };
      // With the place, so that one note does not replace what another can be taken back with.
      showToast('info', `${place}: ${text}`, { label: 'Undo', run: () => void takeBack() });
    };
    return {
      done: (subject) => {
        const { summary } = subject;
        const { last, newest, waitingSince, reminder } = summary;
        // Whoever says so has seen it.
        void markRead(new Map([[last.room, newest]]));
        const toNotes = (back: boolean): readonly Note[] => [
          ...(waitingSince === undefined ? [] : [toDoneNote(summary, back)]),
          ...(reminder === undefined ? [] : [toReminderNote(summary, back ? reminder : undefined)]),
        ];
        const text = waitingSince === undefined ? 'done.' : 'no reply needed.';
        void note(subject, text, toNotes(false), toNotes(true));
      },
      reopen: (subject) => {
        const { summary, place } = subject;
        const [reopened, done] = [toDoneNote(summary, true), toDoneNote(summary, false)];
        void note({ summary, place }, 'needs a reply.', [reopened], [done]);
      },
      remind: (subject, at) => {
        const { summary } = subject;
        void markRead(new Map([[summary.last.room, summary.newest]]));
        const next = { due: fromEpochMs(at), upTo: summary.newest };
        void note(
          subject,
          `reminder set for ${toRemindLabel(at, Date.now())}.`,
          [toReminderNote(summary, next)],
          [toReminderNote(summary, summary.reminder)],
        );
      },
      forgetReminder: (subject) => {
        const { summary } = subject;
        void note(
          subject,
          'reminder removed.',
          [toReminderNote(summary, undefined)],
          [toReminderNote(summary, summary.reminder)],
        );
      },
      take: (subject, uid) => {
        const { summary, place } = subject;
        const { last, takenBy = '' } = summary;
        const toNote = (value: string): Note => ({
          kind: 'taken',
          room: last.room,
          value,
          back: true,
        });
        const text = uid === '' ? 'released.' : 'taken.';
        void note({ summary, place }, text, [toNote(uid)], [toNote(takenBy)]);
      },
    };
  }, [noteMarks, markRead]);
};
