import { IconCloudCheck, IconCloudOff, IconRefresh } from '@tabler/icons-react';

import { useConnection } from '#src/actors/desk.ts';
import { passFocus } from '#src/ui/focus.ts';

import { type ConnectionLine, toConnectionLine } from './connection-text.ts';
import classes from './connection-status.module.css';
import { useNow } from '#src/ui/use-now.ts';
import { useConnectionBanner } from './use-connection-banner.ts';

const ICONS = {
  offline: IconCloudOff,
  reconnecting: IconRefresh,
  held: IconRefresh,
  back: IconCloudCheck,
} as const;

type TroubleLine = Exclude<ConnectionLine, { readonly state: 'quiet' | 'back' }>;

const TICK_MS = 1000;

/**
 * The seconds change on screen only: announced each second, they would drown out everything else.
 */
const Sentence = ({ line }: { readonly line: TroubleLine }) => {
  if (line.state !== 'reconnecting') return <>{line.text}</>;
  if (line.seconds === undefined) return <>{line.text} Trying again…</>;
  return (
    <>
      {line.text} Trying again<span aria-hidden> in {line.seconds} s</span>.
    </>
  );
};

/**
 * One line at the top of the page, empty while online (role `status`, name `Connection`, its text
 * starting `Offline` or `Reconnecting`, else `Online` or nothing).
 */
const ConnectionStatus = ({ queued }: { readonly queued: number }) => {
  const link = useConnection();
  const phase = useConnectionBanner(link.kind, queued);
  const now = useNow(link.kind === 'waiting' ? TICK_MS : 0);
  const line: ConnectionLine =
    phase === 'calm' ? { state: 'quiet' } : toConnectionLine(link, { queued, now });
  const Icon = line.state === 'quiet' ? undefined : ICONS[line.state];
  return (
    <div className={classes['root']} data-state={line.state}>
      {Icon !== undefined && <Icon className={classes['icon']} size={16} aria-hidden />}
      <div role="status" aria-label="Connection" className={classes['status']}>
        {line.state !== 'quiet' && <strong className={classes['label']}>{line.label}</strong>}
        {line.state !== 'quiet' && line.state !== 'back' && (
          <>
            {' '}
            <Sentence line={line} />
          </>
        )}
      </div>
      {line.state === 'back' && (
        <p role="status">
          <span aria-hidden>again.</span> {line.text}
        </p>
      )}
      {line.state === 'reconnecting' && (
        <button
          ref={passFocus}
          type="button"
          className={classes['button']}
          // It stays, with the focus, while an attempt is being made.
          aria-disabled={link.kind === 'connecting' || undefined}
          onClick={link.kind === 'connecting' ? undefined : link.tryNow}
        >
          Try now
        </button>
      )}
    </div>
  );
};

export default ConnectionStatus;
