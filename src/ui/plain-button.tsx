import type { Ref } from 'react';

import { Link } from './address.tsx';
import classes from './plain-button.module.css';
import { Spinner } from './waiting.tsx';

/**
 * A button of the first load; without `onClick` it submits its form. Mantine's button would load
 * its theme and transitions, which the first screens do not use otherwise.
 */
export const PlainButton = ({
  kind,
  text,
  loading = false,
  disabled = false,
  onClick,
  ref,
}: {
  /** `large`: as wide as the form that it submits. */
  readonly kind: 'normal' | 'small' | 'pill' | 'large';
  readonly text: string;
  readonly loading?: boolean;
  readonly disabled?: boolean;
  readonly onClick?: () => void;
  readonly ref?: Ref<HTMLButtonElement>;
}) => (
  <button
    ref={ref}
    type={onClick ? 'button' : 'submit'}
    className={classes['root']}
    data-kind={kind}
    // A disabled button would lose the focus.
    disabled={disabled || (loading && !onClick)}
    aria-disabled={loading || undefined}
    onClick={loading ? undefined : onClick}
  >
    {loading && (
      <span className={classes['loader']} aria-hidden>
        <Spinner size={17} />
      </span>
    )}
    <span className={classes['label']}>{text}</span>
  </button>
);

/** A link that looks like the large button. */
export const PlainButtonLink = ({ to, text }: { readonly to: string; readonly text: string }) => (
  <Link to={to} className={classes['root']} data-kind="large">
    {text}
  </Link>
);
