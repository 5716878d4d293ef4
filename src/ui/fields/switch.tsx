import { useId } from 'react';

import './choice.css';
import classes from './switch.module.css';

interface SwitchProps {
  readonly label: string;
  readonly note?: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A setting that is on or off, with its label and an explanation. The whole row toggles it. */
export const Switch = ({ label, note, checked, onChange }: SwitchProps) => {
  const id = useId();
  return (
    <div className={classes['root']}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className="cover"
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        checked={checked}
        aria-checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div className={classes['about']}>
        <label htmlFor={id} className={classes['label']}>
          {label}
        </label>
        {note !== undefined && (
          <p id={`${id}-note`} className={classes['note']}>
            {note}
          </p>
        )}
      </div>
      <span aria-hidden className={classes['switch']} />
    </div>
  );
};
