import { useRef } from 'react';
import { Button } from '@mantine/core';

import { toBannerText } from '#domain/errors.ts';
import type { OpenSession } from '#domain/schemas/open-session.ts';
import { useLogout, useSession } from '#src/actors/actors.ts';
import { useConnection } from '#src/actors/desk.ts';
import { Banner } from '#src/ui/banner.tsx';
import { passFocus } from '#src/ui/focus.ts';
import { useReturnedFocus } from '#src/ui/hooks/use-returned-focus.ts';
import { Delayed, Spinner } from '#src/ui/waiting.tsx';
import { usePageTitle } from '#src/ui/page-title.ts';
import { useRestorePosition } from '#src/ui/restore-position.ts';

import { NotificationSettings } from './notification-settings.tsx';
import { SessionsList } from './sessions-list.tsx';
import classes from './settings-page.module.css';
import {
  type Failure,
  type OpenApi,
  type OpenSessionsView,
  useOpenSessions,
} from './use-open-sessions.ts';

interface SettingsPageProps {
  readonly openApi: OpenApi;
  /** The server no longer accepts the session. */
  readonly onUnauthenticated: () => void;
}

const OFFLINE = "You're offline. Sessions load when you're back online.";
const NOT_LISTED = "This server can't list your sessions. To end one, sign out on that device.";

const Others = ({ view }: { readonly view: OpenSessionsView }) => {
  const { list, ending } = view;
  const count = list?.sessions.filter(({ current }) => !current).length ?? 0;
  if (count === 0) return <p className={classes['note']}>You're signed in on this device only.</p>;
  return (
    <Button
      variant="default"
      className={classes['others'] ?? ''}
      loading={ending === 'others'}
      disabled={ending !== undefined && ending !== 'others'}
      onClick={() => view.endOthers()}
    >
      Sign out all others
    </Button>
  );
};

const TITLES = {
  load: "Can't load your sessions.",
  end: 'Sign-out failed.',
} as const satisfies Readonly<Record<Failure['action'], string>>;

const toFailureText = ({ error }: Failure): string =>
  error.kind === 'unreachable' || error.kind === 'timeout'
    ? "The server didn't answer. Try again in a moment."
    : toBannerText(error);

/** Stays while a session is being ended: its button keeps the focus, and a new failure is read. */
const FailureBanner = ({
  view: { failure, ending, retry },
}: {
  readonly view: OpenSessionsView;
}) => {
  if (failure === undefined) return null;
  const isEnding = failure.action === 'end' && ending !== undefined;
  return (
    <Banner
      title={TITLES[failure.action]}
      text={isEnding ? 'Trying again…' : toFailureText(failure)}
    >
      <Button variant="default" size="sm" onClick={retry}>
        Try again
      </Button>
    </Banner>
  );
};

const Body = ({
  view,
  offline,
}: {
  readonly view: OpenSessionsView;
  readonly offline: boolean;
}) => {
  const logout = useLogout();
  const { list, failure, ending } = view;
  const end = ({ current, handle }: OpenSession): void => {
    if (current) logout.submit();
    else view.end(handle);
  };
  if (offline) return <p className={classes['note']}>{OFFLINE}</p>;
  if (list === undefined && failure === undefined) {
    return (
      <Delayed>
        <p role="status" className={classes['note']}>
          <Spinner size={18} /> Loading sessions…
        </p>
      </Delayed>
    );
  }
  if (list?.available === false) return <p className={classes['note']}>{NOT_LISTED}</p>;
  return (
    <div ref={passFocus} className={classes['section']}>
      <FailureBanner view={view} />
      {list !== undefined && (
        <>
          <p className={classes['note']}>
            These devices are signed in to your account. Sign out any you don't recognize.
          </p>
          <SessionsList sessions={list.sessions} ending={ending} onEnd={end} />
          <Others view={view} />
        </>
      )}
    </div>
  );
};

/** The open sessions of the user, and how to end them. */
export const SettingsPage = ({ openApi, onUnauthenticated }: SettingsPageProps) => {
  usePageTitle('Settings');
  const root = useRef<HTMLDivElement>(null);
  useRestorePosition(root, useSession().user?.uid, { extent: undefined, isShown: true });
  const { kind } = useConnection();
  const view = useOpenSessions(openApi, kind, onUnauthenticated);
  // A focused button disappears with its session, or with the failure that it answers.
  const isBusy = view.ending !== undefined || view.failure !== undefined;
  const heading = useReturnedFocus<HTMLHeadingElement>(isBusy);
  return (
    <div ref={root} className={classes['root']}>
      <h1 className={classes['title']}>Settings</h1>
      <section aria-labelledby="notifications-title" className={classes['section']}>
        <h2 id="notifications-title" className={classes['heading']}>
          Notifications
        </h2>
        <NotificationSettings />
      </section>
      {/* Last: the list arrives late, and its length is not known before. */}
      <section aria-labelledby="sessions-title" className={classes['section']}>
        <h2 ref={heading} id="sessions-title" tabIndex={-1} className={classes['heading']}>
          Sessions
        </h2>
        <Body view={view} offline={kind === 'offline'} />
      </section>
      <p className={classes['note']}>Coming later: appearance and stored data on this device.</p>
    </div>
  );
};
