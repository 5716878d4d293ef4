import { useEffect, useMemo, useRef, useState } from 'react';

import {
  useDashboardChoice,
  useKeepDashboardChoice,
} from '#db/hooks/choices/use-dashboard-choice.ts';
import { useTeams } from '#db/hooks/use-stored.ts';
import { type DashboardFigures, toStarts } from '#domain/dashboard/figures.ts';
import { toMidnight } from '#domain/rules/grouping.ts';
import {
  type DashboardChoice,
  FIRST_DASHBOARD_CHOICE,
  type PeriodDays,
  PERIODS,
} from '#domain/schemas/dashboard.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { fromEpochMs } from '#domain/timetoken.ts';
import { useSession } from '#src/actors/actors.ts';
import { useTeamsStatus } from '#src/actors/desk.ts';
import { usePeriod } from '#src/actors/period.ts';
import { type FiguresView, useFigures } from '#src/actors/search.ts';
import { usePageTitle } from '#src/ui/page-title.ts';
import { readExtent, useRestorePosition } from '#src/ui/restore-position.ts';
import { showFailure } from '#src/ui/toasts/show-failure.ts';
import { useNow } from '#src/ui/use-now.ts';

import { BusyHours } from './busy-hours.tsx';
import { ClientsNotice } from './clients-notice.tsx';
import { ClientsTable, FIRST_TABLE, type TableView } from './clients-table.tsx';
import { Coverage } from './coverage.tsx';
import classes from './dashboard-page.module.css';
import { DayChart } from './day-chart.tsx';
import { ExportButton } from './export-button.tsx';
import { HoursSettings } from './hours-settings.tsx';
import { Totals, type Waits } from './totals.tsx';

const NO_TEAMS: readonly Team[] = [];
/** Waits grow, and a day ends. */
const TICK_MS = 30_000;

/** The choice made on this page, shown until a choice that was stored later replaces it. */
interface Made {
  readonly part: Partial<DashboardChoice>;
  /** The stored choice when the last part was stored; undefined until then. */
  readonly over: DashboardChoice | undefined;
}

/** The stored choice with the changes since then, whether or not they can be stored. */
const useChoice = () => {
  const stored = useDashboardChoice();
  const keep = useKeepDashboardChoice();
  const [made, setMade] = useState<Made | undefined>();
  const latest = useRef(stored);
  useEffect(() => void (latest.current = stored), [stored]);
  const pending = useRef(0);
  const isCurrent = made?.over === undefined || made.over === stored;
  const part = isCurrent ? made?.part : undefined;
  const change = async (next: Partial<DashboardChoice>): Promise<void> => {
    setMade({ part: { ...part, ...next }, over: undefined });
    pending.current += 1;
    const kept = await keep(next);
    pending.current -= 1;
    showFailure(kept);
    if (kept.ok && pending.current === 0)
      setMade((last) => last && { ...last, over: latest.current });
  };
  const choice = part === undefined ? stored : { ...FIRST_DASHBOARD_CHOICE, ...stored, ...part };
  return { choice, change: (next: Partial<DashboardChoice>) => void change(next) };
};

const Period = ({
  days,
  onChoose,
}: {
  readonly days: PeriodDays;
  readonly onChoose: (days: PeriodDays) => void;
}) => (
  <div role="radiogroup" aria-label="Period" className={classes['periods']}>
    {PERIODS.map((each) => (
      <label key={each} className={classes['period']}>
        <input
          type="radio"
          name="dashboard-period"
          className="cover"
          checked={days === each}
          onChange={() => onChoose(each)}
        />
        {each} days
      </label>
    ))}
  </div>
);

interface BodyProps {
  readonly view: FiguresView;
  readonly choice: DashboardChoice;
  readonly change: (part: Partial<DashboardChoice>) => void;
  /** By client id. */
  readonly names: ReadonlyMap<string, string>;
  readonly waits: Waits;
  readonly table: TableView;
  readonly onTable: (table: TableView) => void;
  /** The start of the previous period, ms since the epoch. */
  readonly since: number;
}

const Body = (props: BodyProps) => {
  const { view, choice, change, names, waits, table, onTable, since } = props;
  const { figures, isFailed } = view;
  // A load continues past midnight, after which it covers a day more than needed.
  const [start] = useState(since);
  const period = usePeriod({ since: fromEpochMs(start) });
  const { coverage } = period;
  // No room is known before the clients are.
  const isComplete =
    coverage !== undefined &&
    coverage.rooms > 0 &&
    coverage.missing.length + coverage.overfull === 0;
  return (
    <>
      <Coverage
        period={period}
        isFailed={isFailed}
        isCounted={figures !== undefined}
        days={choice.days}
        isWithinHours={choice.isWithinHours}
      />
      <Totals
        figures={figures}
        names={names}
        days={choice.days}
        hasTrend={isComplete}
        waits={waits}
      />
      <div className={classes['charts']}>
        <DayChart days={figures?.days} />
        <BusyHours hours={figures?.hours} />
      </div>
      {figures !== undefined && (
        <>
          <ClientsTable
            clients={figures.clients}
            names={names}
            waits={waits}
            table={table}
            onChange={onTable}
          />
          <HoursSettings choice={choice} onChange={change} />
        </>
      )}
    </>
  );
};

interface BoardProps extends Pick<BodyProps, 'choice' | 'change'> {
  /** Its midnight. */
  readonly today: number;
}

/** Nobody can answer a client who is no longer on the list. */
const withoutRemoved = (
  figures: DashboardFigures,
  names: ReadonlyMap<string, string>,
): DashboardFigures => ({
  ...figures,
  clients: figures.clients.map((client) =>
    names.has(client.clientId) ? client : { ...client, waitingSince: undefined },
  ),
});

const Board = ({ choice, change, today }: BoardProps) => {
  const { days, hours, isWithinHours } = choice;
  const now = useNow(TICK_MS);
  const teams = useTeams() ?? NO_TEAMS;
  // Requested again at midnight, when another day begins.
  const query = useMemo(
    () => ({ days, today, ...(isWithinHours && { hours }) }),
    [days, today, hours, isWithinHours],
  );
  const counted = useFigures(query);
  const uid = useSession().user?.uid;
  const root = useRef<HTMLDivElement>(null);
  const [table, setTable] = useState(
    () => (readExtent(uid) as TableView | undefined) ?? FIRST_TABLE,
  );
  const starts = toStarts({ days, now: today });
  const names = useMemo(
    () => new Map(teams.map((team) => [team.client_id, toFullName(team)])),
    [teams],
  );
  const view = useMemo(
    () => ({ ...counted, figures: counted.figures && withoutRemoved(counted.figures, names) }),
    [counted, names],
  );
  useRestorePosition(root, uid, { extent: table, isShown: counted.figures !== undefined });
  const choosePeriod = (next: PeriodDays): void => {
    change({ days: next });
    setTable({ ...table, shown: FIRST_TABLE.shown });
  };
  return (
    <div ref={root} className={classes['root']}>
      <header className={classes['header']}>
        <h1 className={classes['title']}>Dashboard</h1>
        <Period days={days} onChoose={choosePeriod} />
        <div className={classes['export']}>
          <ExportButton
            clients={view.figures?.clients}
            names={names}
            order={table.order}
            period={{ from: starts.from, to: now }}
          />
        </div>
      </header>
      <Body
        key={days}
        view={view}
        choice={choice}
        change={change}
        names={names}
        waits={{ now, hours: query.hours }}
        table={table}
        onTable={setTable}
        since={starts.before}
      />
    </div>
  );
};

/** The number of messages with clients, the response times, and the clients who wait. */
const DashboardPage = () => {
  usePageTitle('Dashboard');
  const { choice, change } = useChoice();
  const today = toMidnight(useNow(TICK_MS));
  const teams = useTeams();
  const isFailed = useTeamsStatus().state === 'error' && teams === undefined;
  const isBoard = !isFailed && teams?.length !== 0;
  if (isBoard && choice !== undefined)
    return <Board choice={choice} change={change} today={today} />;
  return <div className={classes['root']}>{!isBoard && <ClientsNotice isFailed={isFailed} />}</div>;
};

export default DashboardPage;
