import { useEffect, useEffectEvent } from 'react';
import { IconArrowDown } from '@tabler/icons-react';

import { focusThread } from '#src/ui/focus.ts';
import { isComposing, isDialogOpen } from '#src/ui/key-names.ts';

import classes from './end-pill.module.css';

/** Escape closes these first. */
const CLOSES = 'search, nav, dialog, [role="menu"]';

/** Escape scrolls to the latest message, unless it closes something. */
const useEndKey = (toEnd: () => void): void => {
  const go = useEffectEvent(toEnd);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isTaken = event.target instanceof Element && event.target.closest(CLOSES) !== null;
      if (event.key !== 'Escape' || isComposing(event) || isTaken) return;
      if (!isDialogOpen()) go();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
};

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
  useEndKey(onClick);
  return (
    <button
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
