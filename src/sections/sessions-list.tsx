import { useId } from 'react';
import { Button } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';

import { toSeenLabel } from '#domain/text/seen-label.ts';
import type { OpenSession } from '#domain/schemas/open-session.ts';
import { useNow } from '#src/ui/use-now.ts';

import classes from './settings-page.module.css';

const ICON_PX = 22;
const PHONES = /\b(?:iPhone|iPad|Android)\b/;

interface RowActions {
  /** The handle of the session that is being ended, or `others`. */
  readonly ending: string | undefined;
  /** Ends a session; the current one by signing out. */
  readonly onEnd: (session: OpenSession) => void;
}

const SessionRow = ({
  session,
  now,
  ending,
  onEnd,
}: RowActions & { readonly session: OpenSession; readonly now: number }) => {
  const id = useId();
  const { device, current, since, lastSeen, handle } = session;
  const Icon = PHONES.test(device) ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <li className={classes['row']}>
      <Icon size={ICON_PX} stroke={1.6} className={classes['icon']} aria-hidden />
      <div id={id} className={classes['about']}>
        <p className={classes['device']}>
          {device}
          {current && <span className={classes['mark']}>This device</span>}
        </p>
        <p className={classes['times']}>
          <span>Signed in {toSeenLabel(since, now)}</span>
          {!current && <span>Last seen {toSeenLabel(lastSeen, now)}</span>}
        </p>
      </div>
      <Button
        variant="default"
        size="sm"
        aria-describedby={id}
        loading={ending === handle}
        disabled={ending !== undefined && ending !== handle}
        onClick={() => onEnd(session)}
      >
        Sign out
      </Button>
    </li>
  );
};

/** This device first, then the others, most recently used first. */
export const SessionsList = ({
  sessions,
  ...actions
}: RowActions & { readonly sessions: readonly OpenSession[] }) => {
  const now = useNow();
  const inOrder = [
    ...sessions.filter(({ current }) => current),
    ...sessions.filter(({ current }) => !current),
  ];
  return (
    <ul className={classes['list']}>
      {inOrder.map((session) => (
        <SessionRow key={session.handle} session={session} now={now} {...actions} />
      ))}
    </ul>
  );
};
