import classes from './charts.module.css';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** Shades besides the one of no message. */
const SHADES = 4;
/** Hours with a visible label. */
const LABEL_EVERY = 6;

const toHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** When clients write: a table whose cells are shaded. */
export const BusyHours = ({ hours }: { readonly hours: readonly (readonly number[])[] }) => {
  const most = Math.max(1, ...hours.flat());
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
          {hours.map((row, weekday) => (
            <tr key={WEEKDAYS[weekday]}>
              <th scope="row">
                <abbr title={WEEKDAYS[weekday]}>{WEEKDAYS[weekday]?.slice(0, 3)}</abbr>
              </th>
              {HOURS.map((hour) => (
                <td
                  key={hour}
                  data-shade={Math.ceil(((row[hour] ?? 0) / most) * SHADES)}
                  title={`${WEEKDAYS[weekday]} ${toHour(hour)}: ${row[hour] ?? 0}`}
                >
                  <span className="visually-hidden">{row[hour] ?? 0}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
