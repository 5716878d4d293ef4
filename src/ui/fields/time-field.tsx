import { useState } from 'react';

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
}) => {
  /** The text while typing. `minute` follows later, and would end the input of a number. */
  const [typed, setTyped] = useState<string | undefined>();
  return (
    <label className={classes['root']}>
      {label}
      <input
        type="time"
        required
        className={classes['field']}
        value={typed ?? toTimeText(minute)}
        onChange={(event) => {
          const text = event.currentTarget.value;
          setTyped(text);
          const next = parseTime(text);
          if (next !== undefined) onChange(next);
        }}
        onBlur={() => setTyped(undefined)}
      />
    </label>
  );
};
