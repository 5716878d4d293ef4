import classes from './plain-button.module.css';
import { Spinner } from './waiting.tsx';

/**
 * A button of the first load. Mantine's own one brings its transitions with it, 3 kB that the first
 * screens do not use otherwise.
 */
export const PlainButton = ({
  kind,
  text,
  loading = false,
  disabled = false,
  onClick,
}: {
  readonly kind: 'normal' | 'small' | 'pill';
  readonly text: string;
  readonly loading?: boolean;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}) => (
  <button
    type="button"
    className={classes['root']}
    data-kind={kind}
    data-loading={loading || undefined}
    disabled={loading || disabled}
    onClick={onClick}
  >
    {loading && (
      <span className={classes['loader']} aria-hidden>
        <Spinner size={17} />
      </span>
    )}
    <span className={classes['label']}>{text}</span>
  </button>
);
