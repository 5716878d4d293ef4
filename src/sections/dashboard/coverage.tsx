import { toBannerText } from '#domain/errors.ts';
import { toSinceLabel } from '#domain/text/date-label.ts';
import { toEpochMs } from '#domain/timetoken.ts';
import type { PeriodDays } from '#domain/schemas/dashboard.ts';
import type { PeriodView } from '#src/actors/period.ts';
import { type ConnectionView, useConnection, useSteadyKind } from '#src/actors/desk.ts';
import { LoadProgress } from '#src/ui/load-progress.tsx';
import { useNow } from '#src/ui/use-now.ts';

const toRooms = (count: number): string => `${count} ${count === 1 ? 'room' : 'rooms'}`;

interface CoverageProps {
  readonly period: PeriodView;
  readonly isFailed: boolean;
  /** All messages on this device are counted. */
  readonly isCounted: boolean;
  readonly days: PeriodDays;
  /** Response and waiting times count business hours only. */
  readonly isWithinHours: boolean;
}

const toKnown = ({ period, days, isWithinHours }: CoverageProps): string => {
  const { coverage } = period;
  if (coverage === undefined) return '';
  const { rooms, missing, overfull } = coverage;
  const whole = rooms - missing.length - overfull;
  const kept =
    overfull === 0 ? '' : ` Of ${toRooms(overfull)}, this device keeps only the newest messages.`;
  const counts = `Counts the last ${days} days and the ${days} days before in`;
  const start =
    missing.length === 0
      ? `${counts} ${toRooms(whole)}.`
      : `${counts} ${whole} of ${toRooms(rooms)}; the others have older messages on the server.`;
  const hours = isWithinHours ? ' Times count business hours only.' : '';
  return start + kept + hours;
};

/** Why nothing newer arrives. */
const LOST: Readonly<Partial<Record<ConnectionView['kind'], string>>> = {
  offline: "You're offline. Messages",
  waiting: 'Messages',
  unresponsive: 'Messages',
};

const toText = (props: CoverageProps, now: number, kind: ConnectionView['kind']): string => {
  const { period, isFailed, isCounted } = props;
  if (period.isLoading) return 'Loading older messages';
  if (isFailed) return "Couldn't count the messages on this device.";
  // No room is known before the clients are.
  if (!isCounted || !period.coverage?.rooms) return 'Counting the messages on this device…';
  const failed = period.error === undefined ? '' : ` ${toBannerText(period.error)}`;
  const { upTo } = period.coverage;
  const lost = LOST[kind];
  const until =
    lost !== undefined && upTo !== undefined
      ? ` ${lost} after ${toSinceLabel(toEpochMs(upTo), now)} aren't counted.`
      : '';
  return toKnown(props) + until + (kind === 'offline' ? '' : failed);
};

/** Which rooms and dates the figures cover; loads what is missing. */
export const Coverage = (props: CoverageProps) => {
  const { period, isCounted } = props;
  const now = useNow();
  const kind = useSteadyKind(useConnection().kind);
  const offline = kind === 'offline';
  const isMissing = (period.coverage?.missing.length ?? 0) > 0;
  const start = period.error === undefined ? 'Load older messages' : 'Try again';
  return (
    <LoadProgress
      label="Coverage"
      text={toText(props, now, kind)}
      isLoading={period.isLoading}
      loaded={period.loaded}
      total={period.toLoad}
      start={isCounted && isMissing && !offline ? start : undefined}
      onStart={period.load}
      onStop={period.stop}
    />
  );
};
