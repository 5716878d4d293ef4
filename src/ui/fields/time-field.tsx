import { parseTime, toTimeText } from '#domain/rules/notification.ts';

import classes from './time-field.module.css';

/** A time of day, in minutes since midnight. */
export const TimeField = ({
  label,
  minute,
  onChange,
}: {
  readonly label: string;
  readonly minute: number;
  readonly onChange: (minute: number) => void;
}) => (
  <label className={classes['root']}>
    {label}
    <input
      type="time"
      required
      className={classes['field']}
      value={toTimeText(minute)}
      onChange={(event) => {
        const next = parseTime(event.currentTarget.value);
        if (next !== undefined) onChange(next);
      }}
    />
  </label>
);
