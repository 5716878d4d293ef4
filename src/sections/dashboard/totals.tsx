import type { ReactNode } from 'react';

import { findLongestWait } from '#domain/dashboard/clients.ts';
import type { DashboardFigures, TotalFigures } from '#domain/dashboard/figures.ts';
import { toDurationLabel } from '#domain/dashboard/duration-label.ts';
import { toWorkingMs } from '#domain/dashboard/working-time.ts';
import type { BusinessHours, PeriodDays } from '#domain/schemas/dashboard.ts';
import { toRoomPath } from '#domain/routes.ts';
import { Link } from '#src/ui/address.tsx';

import classes from './totals.module.css';

/** How waits are counted. */
export interface Waits {
  /** ms since the epoch */
  readonly now: number;
  readonly hours: BusinessHours | undefined;
}

/** A wait or a response time, in days only if all hours of a day count. */
const toSpanLabel = (ms: number | undefined, { hours }: Waits): string =>
  toDurationLabel(ms, hours !== undefined);

interface TotalsProps {
  /** Undefined until they are counted. */
  readonly figures: DashboardFigures | undefined;
  /** By client id. */
  readonly names: ReadonlyMap<string, string>;
  readonly days: PeriodDays;
  /** The previous period is known as well. */
  readonly hasTrend: boolean;
  readonly waits: Waits;
}

const NUMBER = new Intl.NumberFormat('en-US');
const PERCENT = 100;

interface Trend {
  readonly text: string;
  readonly description: string;
}

/** The change from the previous period; none without anything to compare with. */
const toTrend = (
  now: number | undefined,
  before: number | undefined,
  days: PeriodDays,
  [more, less]: readonly [string, string] = ['more', 'less'],
): Trend | undefined => {
  if (now === undefined || before === undefined || before === 0) return undefined;
  const share = Math.round(((now - before) / before) * PERCENT);
  const than = `than the previous ${days} days`;
  if (share === 0) return { text: '±0%', description: `the same as in the previous ${days} days` };
  return share > 0
    ? { text: `+${NUMBER.format(share)}%`, description: `${share}% ${more} ${than}` }
    : { text: `−${NUMBER.format(-share)}%`, description: `${-share}% ${less} ${than}` };
};

const Change = ({ trend }: { readonly trend: Trend | undefined }) =>
  trend === undefined ? null : (
    <dd className={classes['trend']}>
      <span aria-hidden title={trend.description}>
        {trend.text}
      </span>
      <span className="visually-hidden">{trend.description}</span>
    </dd>
  );

const FASTER: readonly [string, string] = ['slower', 'faster'];

/** One figure. Without a value it keeps its place, and that of its note. */
const Tile = ({
  title,
  value,
  note,
  trend,
}: {
  readonly title: string;
  readonly value: string | undefined;
  /** None if undefined. */
  readonly note?: ReactNode;
  readonly trend?: Trend | undefined;
}) => (
  <div className={classes['tile']}>
    <dt>{title}</dt>
    <dd className={classes['value']}>{value}</dd>
    {note !== undefined && <dd className={classes['note']}>{note}</dd>}
    <Change trend={trend} />
  </div>
);

/** The client who has waited longest. */
const Longest = ({ figures, names, waits }: Pick<TotalsProps, 'figures' | 'names' | 'waits'>) => {
  const longest = figures && findLongestWait(figures.clients);
  const { clientId = '', waitingSince, waitingRoom } = longest ?? {};
  const wait =
    waitingSince === undefined
      ? undefined
      : toSpanLabel(toWorkingMs(waitingSince, waits.now, waits.hours), waits);
  return (
    <Tile
      title="Longest waiting"
      value={wait ?? (figures && 'Nobody')}
      note={
        waitingRoom === undefined ? (
          <span className={classes['link']}>{'\u00a0'}</span>
        ) : (
          <Link to={toRoomPath(waitingRoom)} className={classes['link'] ?? ''}>
            {names.get(clientId) ?? clientId}
          </Link>
        )
      }
    />
  );
};

const toResponseNote = ({ answers, p90 }: TotalFigures, waits: Waits): ReactNode =>
  answers === 0 ? (
    'No responses yet'
  ) : (
    <>
      median; <span className={classes['whole']}>90% within {toSpanLabel(p90, waits)}</span>
    </>
  );

/** The figures of all clients together. */
export const Totals = ({ figures, names, days, hasTrend, waits }: TotalsProps) => {
  const { total, before } = figures ?? {};
  const trendOf = (
    pick: (each: TotalFigures) => number | undefined,
    words?: readonly [string, string],
  ) => (hasTrend && total && before ? toTrend(pick(total), pick(before), days, words) : undefined);
  return (
    <dl className={classes['root']} aria-label="Totals" aria-busy={figures === undefined}>
      <Tile
        title="Received"
        value={total && NUMBER.format(total.received)}
        trend={trendOf(({ received }) => received)}
      />
      <Tile
        title="Sent"
        value={total && NUMBER.format(total.sent)}
        trend={trendOf(({ sent }) => sent)}
      />
      <Tile
        title="Active clients"
        value={total && NUMBER.format(total.activeClients)}
        trend={trendOf(({ activeClients }) => activeClients)}
      />
      <Tile
        title="First response"
        value={total && toSpanLabel(total.median, waits)}
        note={total ? toResponseNote(total, waits) : ''}
        trend={trendOf(({ median }) => median, FASTER)}
      />
      <Longest figures={figures} names={names} waits={waits} />
    </dl>
  );
};
