import { useReceivedUpTo } from '#db/hooks/use-summaries.ts';
import { toSinceLabel } from '#domain/text/date-label.ts';
import { toEpochMs } from '#domain/timetoken.ts';
import type { ConnectionView } from '#src/actors/desk.ts';
import { type Currency, isCurrent } from '#src/chat/inbox/use-currency.ts';
import { useNow } from '#src/ui/use-now.ts';

import classes from './home.module.css';

const NUMBER = new Intl.NumberFormat('en-US');

const LOST: Readonly<Partial<Record<ConnectionView['kind'], string>>> = {
  offline: 'Offline.',
  waiting: "Can't reach the server.",
  unresponsive: "Another tab isn't responding.",
};

/** `since`: the moment up to which everything was received, "9:14 AM"; empty if unknown. */
export const toFreshness = ({ kind, caughtUp, isFull }: Currency, since: string): string => {
  if (isFull) return "This device's storage is full: newer messages may be missing.";
  if (kind === 'online' || kind === 'blocked') {
    return caughtUp ? 'Up to date.' : 'Loading what you missed…';
  }
  if (kind === 'connecting') return 'Connecting…';
  return `${LOST[kind]} ${since === '' ? 'Showing saved messages.' : `Showing messages up to ${since}.`}`;
};

/** How many rooms are not on this device. */
export const toMissing = ({ rooms, missing }: Currency): string => {
  if (missing === undefined || missing === 0) return '';
  return ` ${NUMBER.format(missing)} of ${NUMBER.format(rooms)} rooms still missing.`;
};

/** Without a connection nothing more is received: the moment does not change. */
const LostText = ({ currency }: { readonly currency: Currency }) => {
  const upTo = useReceivedUpTo();
  const now = useNow();
  return toFreshness(currency, upTo === undefined ? '' : toSinceLabel(toEpochMs(upTo), now));
};

export const CoverageLine = ({ currency }: { readonly currency: Currency }) => (
  <p role="status" aria-label="Coverage" className={classes['coverage']}>
    <span
      aria-hidden
      className={classes['light']}
      data-state={isCurrent(currency) ? 'complete' : 'partial'}
    />
    <span>
      {LOST[currency.kind] === undefined ? (
        toFreshness(currency, '')
      ) : (
        <LostText currency={currency} />
      )}
      {/* Rooms arrive in hundreds of steps, which nobody wants to hear. */}
      <span aria-live="off">{toMissing(currency)}</span>
    </span>
  </p>
);
