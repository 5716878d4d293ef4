import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { IconCheck, IconClock, IconUserCheck, IconX } from '@tabler/icons-react';

import { useProducers } from '#db/hooks/use-producers.ts';
import { isTaker } from '#domain/schemas/marks.ts';
import { toTakerName } from '#domain/rules/waiting.ts';
import { useSession } from '#src/actors/actors.ts';
import { listRemindTimes, parseRemindTime, toRemindLabel } from '#domain/text/remind-times.ts';
import type { RoomSummary } from '#domain/rules/waiting.ts';
import { toEpochMs } from '#domain/timetoken.ts';

import classes from './follow-up-dialog.module.css';
import { type FollowUpListener, useFollowUp } from './use-follow-up.ts';

const ICON_PX = 18;

/** A time of the user's choice. */
const OtherTime = ({ onChosen }: { readonly onChosen: (at: number) => void }) => {
  const field = useId();
  const [isRefused, setRefused] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = new FormData(event.currentTarget).get('at');
    const at = typeof text === 'string' ? parseRemindTime(text, Date.now()) : undefined;
    if (at === undefined) setRefused(true);
    else onChosen(at);
  };
  return (
    <form className={classes['other']} onSubmit={submit} noValidate>
      <label htmlFor={field} className={classes['label']}>
        Another time
      </label>
      <input
        id={field}
        name="at"
        type="datetime-local"
        className={classes['field']}
        aria-invalid={isRefused}
        aria-describedby={isRefused ? `${field}-error` : undefined}
        onChange={() => setRefused(false)}
      />
      <button type="submit" className={classes['set']}>
        Remind me
      </button>
      {isRefused && (
        <p id={`${field}-error`} role="alert" className={classes['error']}>
          Choose a time in the future.
        </p>
      )}
    </form>
  );
};

interface FollowUpProps {
  readonly summary: RoomSummary;
  /** "Maya Okafor · Team" */
  readonly place: string;
  readonly onClose: () => void;
  readonly listener?: FollowUpListener;
}

/** Who takes care of the room, and how to change that. */
const Taking = ({ summary, onClose }: Pick<FollowUpProps, 'summary' | 'onClose'>) => {
  const { take } = useFollowUp();
  const uid = useSession().user?.uid ?? '';
  const staff = useProducers();
  const { takenBy } = summary;
  if (uid === '' || !isTaker(uid)) return null;
  const choose = (taker: string): void => {
    take(summary, taker);
    onClose();
  };
  if (takenBy === undefined) {
    return (
      <button type="button" className={classes['choice']} onClick={() => choose(uid)}>
        <IconUserCheck size={ICON_PX} aria-hidden />
        Take this room
      </button>
    );
  }
  const isMine = takenBy === uid;
  return (
    <div className={classes['reminder']}>
      <p>
        {isMine
          ? 'You take care of this room.'
          : `${toTakerName(takenBy, staff)} takes care of it.`}
      </p>
      <button type="button" className={classes['remove']} onClick={() => choose(isMine ? '' : uid)}>
        {isMine ? 'Release' : 'Take over'}
      </button>
    </div>
  );
};

/** What can be chosen; each choice closes the dialog. */
const Choices = ({ summary, onClose, listener }: Omit<FollowUpProps, 'place'>) => {
  const followUp = useFollowUp();
  const [now] = useState(() => Date.now());
  const { reminder, waitingSince } = summary;
  const remind = (at: number): void => {
    followUp.remind(summary, at, listener);
    onClose();
  };
  const isDue = reminder !== undefined && toEpochMs(reminder.due) <= now;
  return (
    <>
      {(waitingSince !== undefined || isDue) && (
        <button
          type="button"
          className={classes['choice']}
          onClick={() => {
            followUp.done(summary, listener);
            onClose();
          }}
        >
          <IconCheck size={ICON_PX} aria-hidden />
          Done, no reply needed
        </button>
      )}
      {reminder !== undefined && (
        <div className={classes['reminder']}>
          <p>
            {isDue ? 'You asked to be reminded: ' : 'You will be reminded: '}
            {toRemindLabel(toEpochMs(reminder.due), now)}
          </p>
          <button
            type="button"
            className={classes['remove']}
            onClick={() => {
              followUp.forgetReminder(summary);
              onClose();
            }}
          >
            Remove
          </button>
        </div>
      )}
      <Taking summary={summary} onClose={onClose} />
      <h3 className={classes['heading']}>Remind me</h3>
      {listRemindTimes(now).map(({ label, at }) => (
        <button key={label} type="button" className={classes['choice']} onClick={() => remind(at)}>
          <IconClock size={ICON_PX} aria-hidden />
          {label}
          <span className={classes['when']}>{toRemindLabel(at, now)}</span>
        </button>
      ))}
      <OtherTime onChosen={remind} />
    </>
  );
};

/** What remains to be done in a room: nothing, or later. */
export const FollowUpDialog = ({ place, onClose, ...choices }: FollowUpProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => dialog.current?.showModal(), []);
  // The focus returns to where it was.
  const close = (): void => dialog.current?.close();
  return (
    <dialog ref={dialog} className={classes['dialog']} aria-labelledby={title} onClose={onClose}>
      <div className={classes['content']}>
        <h2 id={title} className={classes['title']}>
          Follow up
        </h2>
        <p className={classes['place']}>
          <bdi>{place}</bdi>
        </p>
        <button type="button" className={classes['close']} aria-label="Close" onClick={close}>
          <IconX size={ICON_PX} aria-hidden />
        </button>
        <Choices {...choices} onClose={close} />
      </div>
    </dialog>
  );
};
