import { type ComponentProps, useCallback, useEffect, useState } from 'react';
import { IconUserCheck } from '@tabler/icons-react';
import { createPortal } from 'react-dom';

import { useProducers } from '#db/hooks/use-stored.ts';
import { useSummaries } from '#db/hooks/use-summaries.ts';
import { useStartKnown } from '#db/hooks/use-thread.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toAssigneeName } from '#domain/rules/waiting.ts';
import type { Team } from '#domain/schemas/team.ts';
import { useSession } from '#src/actors/actors.ts';
import { focusThread } from '#src/ui/focus.ts';

import { closeReminderRequest, useReminderRequest } from '../follow-up/reminder-request.ts';
import { OpenRoomFollowUp } from '../follow-up/open-room-follow-up.tsx';
import { RoomFollowUp } from '../follow-up/room-follow-up.tsx';
import { Announcer } from './announcer.tsx';
import { RoomBell } from './room-bell.tsx';
import classes from './room-signals.module.css';
import { useAnswer } from './use-answer.ts';

const ICON_PX = 16;

/** Who has taken the room, so that others leave the answer to them; in a bar the name alone. */
const Assignee = ({ room }: { readonly room: RoomKey }) => {
  const assignee = useSummaries()?.get(room)?.assignee;
  const staff = useProducers();
  const { user } = useSession();
  if (assignee === undefined) return null;
  const isMine = assignee === user?.uid;
  const name = isMine ? 'You' : toAssigneeName(assignee, staff, 'a colleague');
  const [before, after] = isMine ? ['', ' took this room'] : ['Taken by ', ''];
  return (
    <span
      className={classes['assignee']}
      data-mine={isMine || undefined}
      title={`${before}${name}${after}`}
    >
      <IconUserCheck size={ICON_PX} stroke={1.8} aria-hidden />
      <span className={classes['text']}>
        <span>{before}</span>
        <bdi>{name}</bdi>
        <span>{after}</span>
      </span>
    </span>
  );
};

/**
 * The announcer of new messages, who has taken the room, and its follow-up and notification
 * buttons; on phones, these are in the `bar`. The dialog of the follow-up stays open when they move
 * there, for example because the device is turned.
 */
const RoomSignals = ({
  rows,
  bar,
  room,
  team,
}: Pick<ComponentProps<typeof Announcer>, 'rows'> & {
  readonly bar: HTMLElement | null;
  readonly room: RoomKey;
  readonly team: Team;
}) => {
  useAnswer(room, rows);
  const whole = useStartKnown(room) === true;
  const [isAsking, setAsking] = useState(false);
  const close = useCallback((): void => {
    setAsking(false);
    // The button that had it before may have moved.
    if (document.activeElement === document.body) focusThread();
  }, []);
  const request = useReminderRequest(room);
  useEffect(() => () => closeReminderRequest(room), [room]);
  const returnToMessage = useCallback((): void => {
    closeReminderRequest(room);
    if (request?.button?.isConnected) request.button.focus();
    else focusThread();
  }, [room, request]);
  const button = classes['button'] ?? '';
  const actions = (
    <>
      <Assignee room={room} />
      <div className={classes['root']} data-bar={bar !== null || undefined}>
        <RoomFollowUp room={room} className={button} onOpen={() => setAsking(true)} />
        <RoomBell room={room} team={team} className={button} />
      </div>
    </>
  );
  return (
    <>
      <Announcer rows={rows} whole={whole} />
      {bar === null ? actions : createPortal(actions, bar)}
      {isAsking && <OpenRoomFollowUp room={room} onClose={close} />}
      {request && (
        <OpenRoomFollowUp
          room={room}
          message={request.line}
          about={request.at}
          onClose={returnToMessage}
        />
      )}
    </>
  );
};

export default RoomSignals;
