import classes from './charts.module.css';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** Shades besides the one of no message. */
const SHADES = 4;
/** Hours with a visible label. */
const LABEL_EVERY = 6;

const toHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

const Cell = ({
  when,
  count,
  most,
}: {
  readonly when: string;
  readonly count: number | undefined;
  /** The greatest count. */
  readonly most: number;
}) => (
  <td
    data-shade={count && Math.ceil((count / most) * SHADES)}
    title={count === undefined ? undefined : `${when}: ${count}`}
  >
    <span className="visually-hidden">{count}</span>
  </td>
);

interface BusyHoursProps {
  /** By weekday and hour; undefined until they are counted. */
  readonly hours: readonly (readonly number[])[] | undefined;
}

/** When clients write: a table whose cells are shaded. */
export const BusyHours = ({ hours }: BusyHoursProps) => {
  const most = Math.max(1, ...(hours?.flat() ?? []));
  return (
    <section className={classes['card']} aria-labelledby="busy-hours-title">
      <div className={classes['head']}>
        <h2 id="busy-hours-title" className={classes['heading']}>
          Busiest hours
        </h2>
        <p className={classes['caption']}>Messages received, local time</p>
      </div>
      <table className={classes['hours']} aria-label="Messages received by weekday and hour">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Weekday</span>
            </th>
            {HOURS.map((hour) => (
              <th key={hour} scope="col" data-shown={hour % LABEL_EVERY === 0 || undefined}>
                <span>{toHour(hour)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WEEKDAYS.map((day, weekday) => (
            <tr key={day}>
              <th scope="row">
                <abbr title={day}>{day.slice(0, 3)}</abbr>
              </th>
              {HOURS.map((hour) => (
                <Cell
                  key={hour}
                  when={`${day} ${toHour(hour)}`}
                  count={hours && (hours[weekday]?.[hour] ?? 0)}
                  most={most}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
