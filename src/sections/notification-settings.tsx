import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Button } from '@mantine/core';

import { useChangeChoice, useNotificationChoice } from '#db/hooks/choices/use-notifications.ts';
import { useTeams } from '#db/hooks/use-stored.ts';
import { isRoomKey, splitRoomKey } from '#domain/rooms.ts';
import type { NotificationChoice, QuietHours } from '#domain/schemas/notification.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { toRoomName } from '#domain/room-name.ts';
import { useReturnedFocus } from '#src/ui/hooks/use-returned-focus.ts';
import { Switch } from '#src/ui/fields/switch.tsx';
import { TimeField } from '#src/ui/fields/time-field.tsx';
import { showFailure } from '#src/ui/toasts/show-failure.ts';

import classes from './notification-settings.module.css';

const NO_TEAMS: readonly Team[] = [];

/** Evening to morning. */
const DEFAULT_QUIET: QuietHours = { from: 22 * 60, to: 7 * 60 };

const UNSUPPORTED =
  "This browser doesn't show notifications here. On an iPhone or iPad, add Replay Desk to the Home Screen first.";
const BLOCKED =
  "Your browser blocks notifications from Replay Desk. Allow them in the browser's settings for this site.";

type Permission = NotificationPermission | 'unsupported';

const readPermission = (): Permission =>
  'Notification' in window && 'serviceWorker' in navigator
    ? Notification.permission
    : 'unsupported';

/** The permission of now: people change it in the browser's settings, beside the open page. */
const usePermission = () => {
  const [permission, setPermission] = useState(readPermission);
  useEffect(() => {
    const read = (): void => setPermission(readPermission());
    const listening = new AbortController();
    const follow = async (): Promise<void> => {
      const status = await navigator.permissions.query({ name: 'notifications' });
      status.addEventListener('change', read, listening);
    };
    // Some browsers do not report it; people return to the page after they changed it.
    follow().catch(() => undefined);
    document.addEventListener('visibilitychange', read, listening);
    return () => listening.abort();
  }, []);
  return [permission, setPermission] as const;
};

/** Returns the changed part of the choice, given the choice stored at that time. */
type ToPart = (before: NotificationChoice) => Partial<NotificationChoice>;

interface PartProps {
  readonly choice: NotificationChoice;
  readonly change: (toPart: ToPart) => void;
}

const Quiet = ({ choice: { quiet }, change }: PartProps) => (
  <>
    <Switch
      label="Quiet hours"
      note="No notifications during these hours, every day."
      checked={quiet !== undefined}
      onChange={(isOn) => change(() => ({ quiet: isOn ? DEFAULT_QUIET : undefined }))}
    />
    {quiet !== undefined && (
      <div role="group" aria-label="Quiet hours" className={classes['times']}>
        <TimeField
          label="From"
          minute={quiet.from}
          onChange={(from) => change((before) => ({ quiet: { ...quiet, ...before.quiet, from } }))}
        />
        <TimeField
          label="To"
          minute={quiet.to}
          onChange={(to) => change((before) => ({ quiet: { ...quiet, ...before.quiet, to } }))}
        />
      </div>
    )}
  </>
);

const toName = (muted: string, teams: readonly Team[]): string => {
  const clientId = isRoomKey(muted) ? splitRoomKey(muted).clientId : muted;
  const team = teams.find(({ client_id }) => client_id === clientId);
  const name = team === undefined ? clientId : toFullName(team);
  return isRoomKey(muted) ? toRoomName(muted, name) : name;
};

const Muted = ({ choice, change }: PartProps) => {
  const teams = useTeams() ?? NO_TEAMS;
  const { mutedClients, mutedRooms } = choice;
  const muted = [...mutedClients, ...mutedRooms];
  const rest = useRef<HTMLElement>(null);
  const title = useId();
  /** The index of the pressed button, which disappears with its row. */
  const pressed = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (pressed.current === undefined || document.activeElement !== document.body) return;
    const buttons = [...(rest.current?.querySelectorAll('button') ?? [])];
    (buttons[Math.min(pressed.current, buttons.length - 1)] ?? rest.current)?.focus();
    pressed.current = undefined;
  });
  const unmute = (one: string): void => {
    pressed.current = muted.indexOf(one);
    change((stored) => ({
      mutedClients: stored.mutedClients.filter((other) => other !== one),
      mutedRooms: stored.mutedRooms.filter((other) => other !== one),
    }));
  };
  if (muted.length === 0) {
    return (
      <p ref={rest as RefObject<HTMLParagraphElement>} tabIndex={-1} className={classes['note']}>
        To mute a room or a client, use the bell in the room.
      </p>
    );
  }
  return (
    <>
      <h3 id={title} className={classes['title']}>
        Muted
      </h3>
      <ul
        ref={rest as RefObject<HTMLUListElement>}
        aria-labelledby={title}
        className={classes['muted']}
      >
        {muted.map((one) => {
          const name = toName(one, teams);
          return (
            <li key={one} className={classes['row']}>
              <span className={classes['about']}>{name}</span>
              <Button
                variant="default"
                size="sm"
                aria-label={`Unmute ${name}`}
                onClick={() => unmute(one)}
              >
                Unmute
              </Button>
            </li>
          );
        })}
      </ul>
    </>
  );
};

const Details = ({ choice, change }: PartProps) => (
  <>
    <Switch
      label="Show names and messages"
      note="Turn this off on a device if others can see its screen."
      checked={choice.showsText}
      onChange={(showsText) => change(() => ({ showsText }))}
    />
    <Switch
      label="Sound"
      checked={choice.hasSound}
      onChange={(hasSound) => change(() => ({ hasSound }))}
    />
    <Quiet choice={choice} change={change} />
  </>
);

const useSave = (): ((toPart: ToPart) => Promise<void>) => {
  const change = useChangeChoice();
  return async (toPart) => {
    showFailure(await change((before) => ({ ...before, ...toPart(before) })));
  };
};

/** Whether and how new messages are announced while Replay Desk is in the background. */
export const NotificationSettings = () => {
  const choice = useNotificationChoice();
  const save = useSave();
  const [permission, setPermission] = usePermission();
  const change = (toPart: ToPart): void => void save(toPart);
  const turn = async (isOn: boolean): Promise<void> => {
    const answer = isOn ? await Notification.requestPermission() : permission;
    setPermission(answer);
    await save(() => ({ isOn: isOn && answer === 'granted' }));
  };
  // The answer to the browser's question removes the switch that asked it.
  const blocked = useReturnedFocus<HTMLParagraphElement>(permission !== 'denied');
  const isOn = choice?.isOn === true && permission === 'granted';
  return (
    <>
      {permission === 'unsupported' && <p className={classes['note']}>{UNSUPPORTED}</p>}
      {permission === 'denied' && (
        <p ref={blocked} role="status" tabIndex={-1} className={classes['note']}>
          {BLOCKED}
        </p>
      )}
      {choice !== undefined && (permission === 'default' || permission === 'granted') && (
        <div className={classes['card']}>
          <Switch
            label="Show notifications"
            note="For new messages and reminders, while Replay Desk is open in the background on this device."
            checked={isOn}
            onChange={(next) => void turn(next)}
          />
          {isOn && <Details choice={choice} change={change} />}
        </div>
      )}
      {isOn && (
        <>
          <p className={classes['note']}>
            Sound, quiet hours and mutes are the same on all your devices.
          </p>
          <Muted choice={choice} change={change} />
        </>
      )}
    </>
  );
};
