import classes from './load-progress.module.css';
import { PlainButton } from './plain-button.tsx';

/** How far a load is, in rooms, and the button that stops it. */
export const LoadProgress = ({
  loaded,
  total,
  onStop,
}: {
  readonly loaded: number;
  readonly total: number;
  readonly onStop: () => void;
}) => (
  <>
    <progress
      className={classes['root']}
      aria-label="Rooms loaded"
      value={loaded}
      max={Math.max(1, total)}
    />
    <PlainButton kind="pill" text="Stop" onClick={onStop} />
  </>
);
