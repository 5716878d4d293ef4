import { useState } from 'react';

import type { DashboardChoice } from '#domain/schemas/dashboard.ts';
import { Switch } from '#src/ui/fields/switch.tsx';
import { TimeField } from '#src/ui/fields/time-field.tsx';

import classes from './hours-settings.module.css';

/** Monday first; 0 is Sunday. */
const WEEKDAYS = [
  [1, 'Monday'],
  [2, 'Tuesday'],
  [3, 'Wednesday'],
  [4, 'Thursday'],
  [5, 'Friday'],
  [6, 'Saturday'],
  [0, 'Sunday'],
] as const;

/** Minutes since midnight. */
interface Times {
  readonly from: number;
  readonly to: number;
}

/** Whether waits are counted within business hours only, and when those are. */
export const HoursSettings = ({
  choice: { hours, isWithinHours },
  onChange,
}: {
  readonly choice: DashboardChoice;
  readonly onChange: (part: Partial<DashboardChoice>) => void;
}) => {
  const { weekdays } = hours;
  // Times that do not apply yet: the user is usually about to change the second one.
  const [refused, setRefused] = useState<Times | undefined>();
  const { from, to } = refused ?? hours;
  const setTime = (part: Partial<Times>): void => {
    const next = { from, to, ...part };
    const isInOrder = next.from < next.to;
    setRefused(isInOrder ? undefined : next);
    if (isInOrder) onChange({ hours: { ...hours, ...next } });
  };
  return (
    <section className={classes['root']} aria-label="Business hours">
      <Switch
        label="Count business hours only"
        note="Response and waiting times exclude nights and days off. Applies on all your devices."
        checked={isWithinHours}
        onChange={(next) => onChange({ isWithinHours: next })}
      />
      {isWithinHours && (
        <div className={classes['fields']}>
          <TimeField label="From" minute={from} onChange={(minute) => setTime({ from: minute })} />
          <TimeField label="To" minute={to} onChange={(minute) => setTime({ to: minute })} />
          <div role="group" aria-label="Days" className={classes['days']}>
            {WEEKDAYS.map(([weekday, name]) => (
              <label key={weekday} className={classes['day']}>
                <input
                  type="checkbox"
                  className={classes['box']}
                  aria-label={name}
                  checked={weekdays.includes(weekday)}
                  // Without any day no wait would ever count.
                  disabled={weekdays.length === 1 && weekdays.includes(weekday)}
                  onChange={({ currentTarget: { checked } }) =>
                    onChange({
                      hours: {
                        ...hours,
                        weekdays: checked
                          ? [...weekdays, weekday]
                          : weekdays.filter((other) => other !== weekday),
                      },
                    })
                  }
                />
                <span aria-hidden>{name.slice(0, 2)}</span>
              </label>
            ))}
          </div>
          <p role="alert" className={classes['refused']}>
            {refused !== undefined && 'Choose an end later than the start, on the same day.'}
          </p>
        </div>
      )}
    </section>
  );
};
