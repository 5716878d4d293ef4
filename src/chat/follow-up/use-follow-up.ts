import { useCallback, useContext, useMemo } from 'react';

import type { AppError } from '#domain/errors.ts';
import type { MarkChange, UnreadPositions } from '#domain/ports/storage.ts';
import type { Result } from '#domain/result.ts';
import type { RoomSummary } from '#domain/rules/waiting.ts';
import { toUnreadFrom } from '#domain/rules/unread.ts';
import { toReminderValue } from '#domain/schemas/marks.ts';
import { toRemindLabel } from '#domain/text/remind-times.ts';
import { fromEpochMs, previousTimetoken, type Timetoken } from '#domain/timetoken.ts';
import { useMessageCommands } from '#src/actors/desk.ts';
import { useRestoreUnread } from '#src/actors/restore-unread.ts';
import { assignedHere, UnreadContext } from '#src/ui/page-frame.ts';
import { showFailure } from '#src/ui/toasts/show-failure.ts';
import { showToast } from '#src/ui/toasts/toast-store.ts';

/** The subject of a follow-up. */
export interface Subject {
  readonly summary: RoomSummary;
  /** "Maya Okafor · Team" */
  readonly roomName: string;
  /** The first line of the message that asks for a reminder; the other actions are not offered. */
  readonly message?: string;
  /** The position of that message. */
  readonly about?: Timetoken | undefined;
  /** Called once it is stored: the room leaves the list of waiting rooms. */
  readonly onHandled?: (() => void) | undefined;
  /** Called once the user has undone it. */
  readonly onUndone?: (() => void) | undefined;
}

/** The follow-up actions on a room. */
export interface FollowUp {
  /** No reply is needed until the client writes again; the reminder is removed. */
  readonly done: (subject: Subject) => void;
  /** A reply is needed after all. */
  readonly reopen: (subject: Subject) => void;
  /** The room returns at `at`, ms since the epoch. */
  readonly remind: (subject: Subject, at: number) => void;
  readonly forgetReminder: (subject: Subject) => void;
  /** The user answered in the room: its reminder is removed, without a toast. */
  readonly endReminder: (summary: RoomSummary) => void;
  /** Assigns the room to `uid`; empty for nobody. */
  readonly take: (subject: Subject, uid: string) => void;
}

/** Sets or removes a reminder; with `expected` only in place of that one, not of a newer one. */
const toReminderChange = (
  { last: { room } }: RoomSummary,
  next: RoomSummary['reminder'],
  expected?: { readonly reminder: RoomSummary['reminder'] },
): MarkChange => ({
  kind: 'reminder',
  room,
  value: toReminderValue(next),
  ...(expected && { expected: toReminderValue(expected.reminder) }),
});

/** The room needs no reply, or waits again since `waitingSince` (`back`). */
const toDoneChange = (
  { last: { room }, newest, waitingSince }: RoomSummary,
  back: boolean,
): MarkChange => ({
  kind: 'done',
  room,
  value: back ? previousTimetoken(waitingSince ?? newest) : newest,
  back,
});

/** All that "Done" changes, or undoes (`back`). */
const toDoneChanges = (summary: RoomSummary, back: boolean): readonly MarkChange[] => {
  const { newest, waitingSince, reminder } = summary;
  const change = back
    ? toReminderChange(summary, reminder, { reminder: undefined })
    : toReminderChange(summary, undefined);
  return [
    // A colleague may have marked later messages as done meanwhile.
    ...(waitingSince === undefined
      ? []
      : [{ ...toDoneChange(summary, back), ...(back && { expected: newest }) }]),
    ...(reminder === undefined ? [] : [change]),
  ];
};

const FULL = "This device's storage is full. Free up space, then try again.";

/** Whether a change could be stored; a failure is shown. */
const checkStored = (stored: Result<void, AppError>): boolean => {
  if (!stored.ok && stored.error.kind === 'quota') showToast('error', FULL);
  else showFailure(stored);
  return stored.ok;
};

/** Marks a room as read; the result is what restores its unread messages. */
const useRead = (): ((summary: RoomSummary) => UnreadPositions) => {
  const { markRead } = useMessageCommands();
  const unread = useContext(UnreadContext);
  return useCallback(
    ({ last: { room }, newest: upTo }) => {
      void markRead(new Map([[room, upTo]]));
      const found = unread.get(room);
      const isUnread = found !== undefined && found.first <= upTo;
      return new Map(isUnread ? [[room, { from: toUnreadFrom(found), upTo }]] : []);
    },
    [markRead, unread],
  );
};

/** Changes to the marks of rooms: stored at once, online or not, and shared once online. */
export const useFollowUp = (): FollowUp => {
  const { recordMarks } = useMessageCommands();
  const restoreUnread = useRestoreUnread();
  const read = useRead();
  return useMemo(() => {
    const record = async (changes: readonly MarkChange[]): Promise<boolean> => {
      for (const { kind, room, value } of changes) {
        if (kind === 'taken') assignedHere.set(room, value);
      }
      return checkStored(await recordMarks(changes));
    };
    const change = async (
      { roomName, onHandled, onUndone }: Subject,
      text: string,
      changes: readonly MarkChange[],
      undo: readonly MarkChange[],
      seen?: RoomSummary,
    ): Promise<void> => {
      if (!(await record(changes))) return;
      const wasUnread: UnreadPositions = seen === undefined ? new Map() : read(seen);
      onHandled?.();
      const undoIt = async (): Promise<void> => {
        if (!(await record(undo))) return;
        onUndone?.();
        checkStored(await restoreUnread(wasUnread));
      };
      showToast('info', `${roomName}: ${text}`, { label: 'Undo', run: () => void undoIt() });
    };
    return {
      done: (subject) => {
        const { summary } = subject;
        const text = summary.waitingSince === undefined ? 'done.' : 'no reply needed.';
        const [changes, undo] = [toDoneChanges(summary, false), toDoneChanges(summary, true)];
        // A user who marks a room as done has seen it.
        void change(subject, text, changes, undo, summary);
      },
      reopen: (subject) => {
        const { summary, roomName } = subject;
        const [reopened, done] = [toDoneChange(summary, true), toDoneChange(summary, false)];
        void change({ summary, roomName }, 'needs a reply.', [reopened], [done]);
      },
      remind: (subject, at) => {
        const { summary, about } = subject;
        const { reminder } = summary;
        const next = { due: fromEpochMs(at), upTo: summary.newest, ...(about && { about }) };
        void change(
          subject,
          `reminder set for ${toRemindLabel(at, Date.now())}.`,
          [toReminderChange(summary, next)],
          [toReminderChange(summary, reminder, { reminder: next })],
          // Later messages than the one to be reminded of may not have been seen.
          subject.message === undefined ? summary : undefined,
        );
      },
      forgetReminder: (subject) => {
        const { summary } = subject;
        const { reminder } = summary;
        void change(
          subject,
          'reminder removed.',
          [toReminderChange(summary, undefined)],
          [toReminderChange(summary, reminder, { reminder: undefined })],
        );
      },
      endReminder: (summary) => void record([toReminderChange(summary, undefined, summary)]),
      take: (subject, uid) => {
        const { summary, roomName } = subject;
        const { last, assignee = '' } = summary;
        const { room } = last;
        const text = uid === '' ? 'released.' : 'taken.';
        const taken: MarkChange = { kind: 'taken', room, value: uid };
        // A colleague who has taken the room meanwhile keeps it.
        const undo: MarkChange = { kind: 'taken', room, value: assignee, expected: uid };
        void change({ summary, roomName }, text, [taken], [undo]);
      },
    };
  }, [recordMarks, restoreUnread, read]);
};
