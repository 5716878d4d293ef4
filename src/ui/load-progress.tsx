import classes from './load-progress.module.css';
import { PlainButton } from './plain-button.tsx';
import { useReturnedFocus } from './hooks/use-returned-focus.ts';

/** The results below stay where they are. */
const IN_PLACE: FocusOptions = { preventScroll: true };

interface LoadProgressProps {
  /** The name of the text. */
  readonly label: string;
  /** What is known, or what is being loaded. */
  readonly text: string;
  readonly isLoading: boolean;
  /** Rooms. */
  readonly loaded: number;
  readonly total: number;
  /** Starts the load; none if there is nothing to load now. */
  readonly start: string | undefined;
  readonly onStart: () => void;
  readonly onStop: () => void;
}

/** The progress of a load, and one button that starts and stops it, so that it keeps the focus. */
export const LoadProgress = (props: LoadProgressProps) => {
  const { label, text, isLoading, loaded, total, start, onStart, onStop } = props;
  const button = isLoading ? 'Stop' : start;
  const status = useReturnedFocus<HTMLParagraphElement>(button !== undefined, IN_PLACE);
  return (
    <div className={classes['root']}>
      <p ref={status} role="status" aria-label={label} tabIndex={-1}>
        {text}
        {isLoading && (
          // Screen readers announce the progress bar instead of each room.
          <span aria-hidden>{`: ${loaded} of ${total} ${total === 1 ? 'room' : 'rooms'}.`}</span>
        )}
      </p>
      {isLoading && (
        <progress
          className={classes['bar']}
          aria-label="Rooms loaded"
          value={loaded}
          max={Math.max(1, total)}
        />
      )}
      {button !== undefined && (
        <PlainButton kind="pill" text={button} onClick={isLoading ? onStop : onStart} />
      )}
    </div>
  );
};
