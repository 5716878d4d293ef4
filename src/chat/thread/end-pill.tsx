import { IconArrowDown } from '@tabler/icons-react';

import { focusThread, passFocus } from '#src/ui/focus.ts';
import { isComposing, isDialogOpen } from '#src/ui/key-names.ts';
import { useKeyDown } from '#src/ui/hooks/use-key-down.ts';

import classes from './end-pill.module.css';

/** Escape closes these first. */
const CLOSES = 'search, nav, dialog, [role="menu"]';

/**
 * Jumps to the latest message while that is not visible, as does Escape; `unseen` if messages
 * arrived below.
 */
const EndPill = ({
  unseen,
  onClick,
}: {
  readonly unseen: boolean;
  readonly onClick: () => void;
}) => {
  useKeyDown((event) => {
    const isTaken = event.target instanceof Element && event.target.closest(CLOSES) !== null;
    if (event.key !== 'Escape' || isComposing(event) || isTaken) return;
    if (!isDialogOpen()) onClick();
  });
  return (
    <button
      ref={passFocus}
      type="button"
      className={classes['pill']}
      data-unseen={unseen}
      onClick={() => {
        focusThread();
        onClick();
      }}
    >
      <IconArrowDown size={16} stroke={2} aria-hidden />
      {unseen ? 'New messages' : 'Latest messages'}
    </button>
  );
};

export default EndPill;
