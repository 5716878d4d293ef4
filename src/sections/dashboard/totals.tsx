import { findLongestWait } from '#domain/dashboard/clients.ts';
import type { DashboardFigures, TotalFigures } from '#domain/dashboard/figures.ts';
import { toDurationLabel } from '#domain/dashboard/duration-label.ts';
import { toWorkingMs } from '#domain/dashboard/working-time.ts';
import type { BusinessHours, PeriodDays } from '#domain/schemas/dashboard.ts';
import { toClientPath } from '#domain/routes.ts';
import { Link } from '#src/ui/address.tsx';

import classes from './totals.module.css';

/** How waits are counted. */
export interface Waits {
  /** ms since the epoch */
  readonly now: number;
  readonly hours: BusinessHours | undefined;
}

interface TotalsProps {
  readonly figures: DashboardFigures;
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
  if (share === 0) return { text: '±0%', description: `as the previous ${days} days` };
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

/** The figures of all clients together. */
export const Totals = ({ figures, names, days, hasTrend, waits }: TotalsProps) => {
  const { total, before, clients } = figures;
  const trendOf = (
    pick: (each: TotalFigures) => number | undefined,
    words?: readonly [string, string],
  ) => (hasTrend ? toTrend(pick(total), pick(before), days, words) : undefined);
  const longest = findLongestWait(clients);
  return (
    <dl className={classes['root']} aria-label="Totals">
      <div className={classes['tile']}>
        <dt>Received</dt>
        <dd className={classes['value']}>{NUMBER.format(total.received)}</dd>
        <Change trend={trendOf(({ received }) => received)} />
      </div>
      <div className={classes['tile']}>
        <dt>Sent</dt>
        <dd className={classes['value']}>{NUMBER.format(total.sent)}</dd>
        <Change trend={trendOf(({ sent }) => sent)} />
      </div>
      <div className={classes['tile']}>
        <dt>Active clients</dt>
        <dd className={classes['value']}>{NUMBER.format(total.activeClients)}</dd>
        <Change trend={trendOf(({ activeClients }) => activeClients)} />
      </div>
      <div className={classes['tile']}>
        <dt>First response</dt>
        <dd className={classes['value']}>{toDurationLabel(total.median)}</dd>
        <dd className={classes['note']}>
          {total.answers === 0 ? (
            'No responses yet'
          ) : (
            <>
              median; 90% within{' '}
              <span className={classes['whole']}>{toDurationLabel(total.p90)}</span>
            </>
          )}
        </dd>
        <Change trend={trendOf(({ median }) => median, FASTER)} />
      </div>
      <div className={classes['tile']}>
        <dt>Longest waiting</dt>
        <dd className={classes['value']}>
          {longest === undefined
            ? 'Nobody'
            : toDurationLabel(toWorkingMs(longest.since, waits.now, waits.hours))}
        </dd>
        {longest !== undefined && (
          <dd className={classes['note']}>
            <Link to={toClientPath(longest.clientId)} className={classes['link'] ?? ''}>
              {names.get(longest.clientId) ?? longest.clientId}
            </Link>
          </dd>
        )}
      </div>
    </dl>
  );
};
