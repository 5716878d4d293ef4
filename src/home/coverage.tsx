import { useMemo } from 'react';

import { useKnownRooms, useReceivedUpTo } from '#db/hooks/use-summaries.ts';
import { useSpace } from '#db/hooks/use-stored.ts';
import { ROOM_IDS, toRoomKey } from '#domain/rooms.ts';
import type { Team } from '#domain/schemas/team.ts';
import { toSinceLabel } from '#domain/text/date-label.ts';
import { toEpochMs } from '#domain/timetoken.ts';
import { type ConnectionView, useConnection } from '#src/actors/desk.ts';
import { useSteadyKind } from '#src/actors/use-steady-kind.ts';
import { usePageFrame } from '#src/ui/page-frame.ts';
import { useNow } from '#src/ui/use-now.ts';

import classes from './home.module.css';

const NUMBER = new Intl.NumberFormat('en-US');

/** How recent and how complete the messages on this device are. */
interface Currency {
  readonly kind: ConnectionView['kind'];
  /** All missed messages have arrived. */
  readonly caughtUp: boolean;
  readonly isFull: boolean;
  /** Rooms in all, and those without any message page on this device; undefined while loading. */
  readonly rooms: number;
  readonly missing: number | undefined;
}

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

/** Whether everything that Home could show is on this device. */
export const isHomeComplete = ({ kind, caughtUp, isFull, missing }: Currency): boolean =>
  (kind === 'online' || kind === 'blocked') && caughtUp && !isFull && missing === 0;

export const useCurrency = (teams: readonly Team[] | undefined): Currency => {
  const { isIncomplete } = useConnection();
  const kind = useSteadyKind();
  const caughtUp = usePageFrame().caughtUp && !isIncomplete;
  const { isFull } = useSpace();
  const known = useKnownRooms();
  const missing = useMemo(() => {
    if (known === undefined || teams === undefined) return undefined;
    const isMissing = (team: Team): number =>
      ROOM_IDS.filter((id) => !known.has(toRoomKey(team.client_id, id))).length;
    return teams.reduce((sum, team) => sum + isMissing(team), 0);
  }, [known, teams]);
  const rooms = (teams?.length ?? 0) * ROOM_IDS.length;
  return { kind, caughtUp, isFull, rooms, missing };
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
      data-state={isHomeComplete(currency) ? 'complete' : 'partial'}
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
