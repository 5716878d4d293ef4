import { type FormEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { IconAlarm, IconArrowBackUp, IconCheck, IconUserCheck, IconX } from '@tabler/icons-react';

import { useSummaries } from '#db/hooks/use-summaries.ts';
import { useProducers } from '#db/hooks/use-stored.ts';
import { canBeAssigned } from '#domain/schemas/marks.ts';
import { toAssigneeName } from '#domain/rules/waiting.ts';
import { useSession } from '#src/actors/actors.ts';
import {
  listRemindTimes,
  parseRemindTime,
  toChosenTime,
  toRemindLabel,
} from '#domain/text/remind-times.ts';
import { toEpochMs } from '#domain/timetoken.ts';

import { useNow } from '#src/ui/use-now.ts';

import '#src/ui/dialog.css';
import classes from './follow-up-dialog.module.css';
import { type FollowUp, type Subject, useFollowUp } from './use-follow-up.ts';

const ICON_PX = 18;
const TITLE_OF_TIMES = 'Remind me';

/** A time of the user's choice. */
const OtherTime = ({ onChosen }: { readonly onChosen: (at: number) => void }) => {
  const field = useId();
  /** How often in a row; the same refusal again is announced again. */
  const [refusals, setRefusals] = useState(0);
  const isRefused = refusals > 0;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = new FormData(event.currentTarget).get('at');
    const at = typeof text === 'string' ? parseRemindTime(text, Date.now()) : undefined;
    if (at === undefined) setRefusals(refusals + 1);
    else onChosen(at);
  };
  return (
    <form className={classes['other']} onSubmit={submit} noValidate>
      <label htmlFor={field} className={classes['label']}>
        Pick a time
      </label>
      <input
        id={field}
        name="at"
        type="datetime-local"
        className={classes['field']}
        aria-invalid={isRefused}
        aria-describedby={isRefused ? `${field}-error` : undefined}
        onChange={() => setRefusals(0)}
      />
      <button type="submit" className={classes['set']}>
        Remind me
      </button>
      {isRefused && (
        <p key={refusals} id={`${field}-error`} role="alert" className={classes['error']}>
          Choose a time in the future.
        </p>
      )}
    </form>
  );
};

/** The room, and `choose`, which runs an action on it and closes the dialog. */
interface Choosing {
  readonly subject: Subject;
  readonly choose: (work: (followUp: FollowUp) => void) => void;
}

/** The current assignee of the room, and the button that changes it. */
const Assignment = ({ subject: opened, choose }: Choosing) => {
  const uid = useSession().user?.uid ?? '';
  const staff = useProducers();
  const current = useSummaries()?.get(opened.summary.last.room) ?? opened.summary;
  const { assignee } = current;
  const subject = { ...opened, summary: current };
  if (uid === '' || !canBeAssigned(uid)) return null;
  if (assignee === undefined) {
    return (
      <button
        type="button"
        className={classes['choice']}
        onClick={() => choose(({ take }) => take(subject, uid))}
      >
        <IconUserCheck size={ICON_PX} aria-hidden />
        Take this room
      </button>
    );
  }
  const isMine = assignee === uid;
  return (
    <div className={classes['reminder']}>
      <p role="status">
        {isMine
          ? "You've taken this room."
          : `${toAssigneeName(assignee, staff)} has taken this room.`}
      </p>
      <button
        type="button"
        className={classes['remove']}
        onClick={() => choose(({ take }) => take(subject, isMine ? '' : uid))}
      >
        {isMine ? 'Release' : 'Take over'}
      </button>
    </div>
  );
};

/** The button that changes whether the room needs a reply. */
const Answering = ({ subject, choose, now }: Choosing & { readonly now: number }) => {
  const { waitingSince, reminder, isDone } = subject.summary;
  const isDue = reminder !== undefined && toEpochMs(reminder.due) <= now;
  if (waitingSince === undefined && !isDue) {
    return isDone ? (
      <button
        type="button"
        className={classes['choice']}
        onClick={() => choose(({ reopen }) => reopen(subject))}
      >
        <IconArrowBackUp size={ICON_PX} aria-hidden />
        Mark as needing a reply
      </button>
    ) : null;
  }
  return (
    <button
      type="button"
      className={classes['choice']}
      onClick={() => choose(({ done }) => done(subject))}
    >
      <IconCheck size={ICON_PX} aria-hidden />
      {waitingSince === undefined ? 'Done' : 'Done, no reply needed'}
    </button>
  );
};

const Choices = ({
  subject,
  choose,
  times,
}: Choosing & {
  /** The first of the times. */
  readonly times: RefObject<HTMLButtonElement | null>;
}) => {
  const [passed, setPassed] = useState(0);
  const now = Math.max(useNow(), passed);
  const { reminder } = subject.summary;
  const isOfRoom = subject.message === undefined;
  const isDue = reminder !== undefined && toEpochMs(reminder.due) <= now;
  const remind = (at: number): void => choose((followUp) => followUp.remind(subject, at));
  return (
    <>
      {isOfRoom && <Answering subject={subject} choose={choose} now={now} />}
      {reminder !== undefined && (
        <div className={classes['reminder']}>
          <p>
            {isDue ? 'You asked to be reminded: ' : 'You will be reminded: '}
            {toRemindLabel(toEpochMs(reminder.due), now)}
          </p>
          <button
            type="button"
            className={classes['remove']}
            onClick={() => choose(({ forgetReminder }) => forgetReminder(subject))}
          >
            Remove
          </button>
        </div>
      )}
      {isOfRoom && (
        <>
          <Assignment subject={subject} choose={choose} />
          <h3 className={classes['heading']}>{TITLE_OF_TIMES}</h3>
        </>
      )}
      {listRemindTimes(now).map((time, index) => (
        <button
          key={time.label}
          ref={index === 0 ? times : undefined}
          type="button"
          className={classes['choice']}
          onClick={() => {
            const at = toChosenTime(time, Date.now());
            // It passed while the device slept: later times replace it.
            if (at === undefined) setPassed(time.at);
            else remind(at);
          }}
        >
          <IconAlarm size={ICON_PX} aria-hidden />
          {time.label}
          <span className={classes['when']}>{toRemindLabel(time.at, now)}</span>
        </button>
      ))}
      <OtherTime onChosen={remind} />
    </>
  );
};

/**
 * The follow-up of a room: done, or later. It applies to the room as it was when the dialog opened:
 * messages that arrive behind it are not recorded as seen.
 */
export const FollowUpDialog = ({
  subject: current,
  onClose,
}: {
  readonly subject: Subject;
  readonly onClose: () => void;
}) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const [subject] = useState(current);
  const followUp = useFollowUp();
  const title = useId();
  const times = useRef<HTMLButtonElement>(null);
  const isOfRoom = subject.message === undefined;
  useEffect(() => {
    dialog.current?.showModal();
    if (!isOfRoom) times.current?.focus();
  }, [isOfRoom]);
  // The focus returns to where it was.
  const close = (): void => dialog.current?.close();
  const choose = (work: (chosen: FollowUp) => void): void => {
    work(followUp);
    close();
  };
  return (
    <dialog ref={dialog} className={classes['dialog']} aria-labelledby={title} onClose={onClose}>
      <div className={classes['content']}>
        <h2 id={title} className={classes['title']}>
          {isOfRoom ? 'Follow up' : TITLE_OF_TIMES}
        </h2>
        <p className={classes['room']}>{subject.roomName}</p>
        <button type="button" className={classes['close']} aria-label="Close" onClick={close}>
          <IconX size={ICON_PX} aria-hidden />
        </button>
        {!isOfRoom && (
          <p className={classes['message']} dir="auto">
            {subject.message}
          </p>
        )}
        <Choices subject={subject} choose={choose} times={times} />
      </div>
    </dialog>
  );
};
