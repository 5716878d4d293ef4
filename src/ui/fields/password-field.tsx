import { type ComponentProps, useState } from 'react';
import { IconEye, IconEyeOff } from '@tabler/icons-react';

import { useIsHydrated } from './is-hydrated.ts';
import classes from './password-field.module.css';
import { TextField } from './text-field.tsx';

type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'children'>;

/** A field for a password, with a button that shows what was typed. */
export const PasswordField = (field: PasswordFieldProps) => {
  const [isShown, setShown] = useState(false);
  const isHydrated = useIsHydrated();
  const Icon = isShown ? IconEyeOff : IconEye;
  return (
    <TextField
      {...field}
      type={isShown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
    >
      <button
        type="button"
        className={classes['show']}
        aria-label="Show password"
        aria-pressed={isShown}
        disabled={!isHydrated}
        // A press leaves the focus in the field, whose input is not complete yet.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setShown(!isShown)}
      >
        <Icon size={22} stroke={1.5} aria-hidden />
      </button>
    </TextField>
  );
};
