import classes from './load-progress.module.css';
import { PlainButton } from './plain-button.tsx';

interface LoadProgressProps {
  readonly isLoading: boolean;
  /** Rooms. */
  readonly loaded: number;
  readonly total: number;
  /** Starts the load; none if there is nothing to load now. */
  readonly start: string | undefined;
  readonly onStart: () => void;
  readonly onStop: () => void;
}

/** How far a load is, and one button that starts and stops it, so that it keeps the focus. */
export const LoadProgress = (props: LoadProgressProps) => {
  const { isLoading, loaded, total, start, onStart, onStop } = props;
  const text = isLoading ? 'Stop' : start;
  return (
    <>
      {isLoading && (
        <progress
          className={classes['root']}
          aria-label="Rooms loaded"
          value={loaded}
          max={Math.max(1, total)}
        />
      )}
      {text !== undefined && (
        <PlainButton kind="pill" text={text} onClick={isLoading ? onStop : onStart} />
      )}
    </>
  );
};
