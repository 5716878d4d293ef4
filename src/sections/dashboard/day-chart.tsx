import { useElementSize } from '@mantine/hooks';
import { scaleBand, scaleLinear } from 'd3-scale';

import type { DayFigures } from '#domain/dashboard/figures.ts';
import { toLocalFormat } from '#domain/text/local-format.ts';
import { formatShortDay } from '#domain/text/short-label.ts';

import classes from './charts.module.css';

const HEIGHT = 220;
const MARGIN = { top: 8, right: 16, bottom: 24, left: 32 };
const TICKS = 4;
/** Room for a date below the bars, CSS pixels. */
const LABEL_PX = 52;

const formatDay = toLocalFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });

const SERIES = ['received', 'sent'] as const;
const TITLES = { received: 'Received', sent: 'Sent' } as const;

const Bars = ({
  days,
  width,
}: {
  readonly days: readonly DayFigures[];
  readonly width: number;
}) => {
  const most = Math.max(1, ...days.flatMap(({ received, sent }) => [received, sent]));
  const x = scaleBand<number>(
    days.map(({ start }) => start),
    [MARGIN.left, width - MARGIN.right],
  ).padding(0.25);
  const within = scaleBand<string>([...SERIES], [0, x.bandwidth()]).padding(0.08);
  const y = scaleLinear([0, most], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(TICKS);
  const ticks = y.ticks(TICKS).filter((tick) => Number.isInteger(tick));
  const every = Math.max(1, Math.ceil(LABEL_PX / x.step()));
  return (
    <svg
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      className={classes['chart']}
      aria-hidden
    >
      {ticks.map((tick) => (
        <g key={tick} transform={`translate(0 ${y(tick)})`}>
          <line x1={MARGIN.left} x2={width - MARGIN.right} className={classes['grid']} />
          <text x={MARGIN.left - 8} dy="0.32em" textAnchor="end">
            {tick}
          </text>
        </g>
      ))}
      {days.map((day, index) => (
        <g key={day.start} transform={`translate(${x(day.start) ?? 0} 0)`}>
          <title>{`${formatDay(day.start)}: ${day.received} received, ${day.sent} sent`}</title>
          <rect y={MARGIN.top} width={x.bandwidth()} height={y(0) - MARGIN.top} opacity={0} />
          {SERIES.map((series) => (
            <rect
              key={series}
              data-series={series}
              x={within(series) ?? 0}
              y={y(day[series])}
              width={within.bandwidth()}
              height={y(0) - y(day[series])}
              rx={Math.min(3, within.bandwidth() / 3)}
            />
          ))}
          {(days.length - 1 - index) % every === 0 && (
            <text x={x.bandwidth() / 2} y={HEIGHT - 6} textAnchor="middle">
              {formatShortDay(day.start)}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
};

interface DayChartProps {
  /** Undefined until they are counted. */
  readonly days: readonly DayFigures[] | undefined;
}

/** Messages received and sent by day, as bars and as a table. */
export const DayChart = ({ days }: DayChartProps) => {
  const { ref, width } = useElementSize();
  return (
    <section className={classes['card']} aria-labelledby="day-chart-title">
      <div className={classes['head']}>
        <h2 id="day-chart-title" className={classes['heading']}>
          Messages per day
        </h2>
        <ul aria-hidden className={classes['legend']}>
          {SERIES.map((series) => (
            <li key={series} data-series={series}>
              {TITLES[series]}
            </li>
          ))}
        </ul>
      </div>
      <div ref={ref} className={classes['plot']}>
        {days && width > 0 && <Bars days={days} width={Math.floor(width)} />}
      </div>
      <details className={classes['details']}>
        <summary>Show as a table</summary>
        <div className={classes['scroll']} tabIndex={0} role="region" aria-label="Days">
          <table className={classes['table']} aria-label="Messages per day">
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Received</th>
                <th scope="col">Sent</th>
              </tr>
            </thead>
            <tbody>
              {days?.toReversed().map((day) => (
                <tr key={day.start}>
                  <th scope="row">{formatDay(day.start)}</th>
                  <td>{day.received}</td>
                  <td>{day.sent}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
};
