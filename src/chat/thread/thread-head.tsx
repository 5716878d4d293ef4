import type { HistoryView } from '#src/actors/desk.ts';
import { PlainButton } from '#src/ui/plain-button.tsx';

import classes from './thread-head.module.css';

/** Shown above the first message that is new to the reader. */
export const NewLine = () => (
  <div role="separator" aria-label="New messages" className={classes['new']}>
    New
  </div>
);

/** Height reserved above the first message, CSS pixels. */
export const THREAD_HEAD_PX = 84;

/** A focused button leaves the focus to the thread when it is removed. */
const leaveFocus = (button: HTMLElement | null) => (): void => {
  if (button === document.activeElement)
    button?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
};

/**
 * Above the first message: the button for older ones, the start of the room, or, while neither is
 * known, a note that older ones are not available offline.
 */
export const ThreadHead = ({
  history,
  offline,
  firstDay,
  allNew,
}: {
  readonly history: HistoryView;
  readonly offline: boolean;
  /** The day of the room's first message. */
  readonly firstDay: string;
  /** The new messages begin with the first one shown. */
  readonly allNew: boolean;
}) => (
  <div className={classes['root']}>
    {history.hasMore && (
      <PlainButton
        ref={leaveFocus}
        kind="pill"
        text="Fetch more"
        loading={history.fetchingMore}
        onClick={() => history.fetchMore()}
      />
    )}
    {offline && (history.state !== 'success' || history.moreFailed) && (
      <p role="status" className={classes['start']}>
        Older messages aren't downloaded yet.
      </p>
    )}
    {history.state === 'success' && !history.hasMore && (
      <>
        <p className={classes['start']}>This is the start of the conversation.</p>
        {firstDay !== '' && <p className={classes['day']}>{firstDay}</p>}
      </>
    )}
    {allNew && <NewLine />}
  </div>
);
