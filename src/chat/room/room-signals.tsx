import type { ComponentProps } from 'react';
import { createPortal } from 'react-dom';

import type { RoomKey } from '#domain/rooms.ts';
import type { Team } from '#domain/schemas/team.ts';

import { RoomFollowUp } from '../follow-up/room-follow-up.tsx';
import { Announcer } from './announcer.tsx';
import { RoomBell } from './room-bell.tsx';
import classes from './room-signals.module.css';

/**
 * The announcer of new messages, and the room's follow-up and notification buttons; on phones,
 * these are in the `bar`.
 */
const RoomSignals = ({
  rows,
  bar,
  room,
  team,
}: ComponentProps<typeof Announcer> & {
  readonly bar: HTMLElement | null;
  readonly room: RoomKey;
  readonly team: Team;
}) => {
  const button = classes['button'] ?? '';
  const actions = (
    <div className={classes['root']} data-bar={bar !== null || undefined}>
      <RoomFollowUp room={room} team={team} className={button} />
      <RoomBell room={room} team={team} className={button} />
    </div>
  );
  return (
    <>
      <Announcer rows={rows} />
      {bar === null ? actions : createPortal(actions, bar)}
    </>
  );
};

export default RoomSignals;
