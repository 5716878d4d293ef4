import { IconArrowDown } from '@tabler/icons-react';

import { focusThread } from '#src/ui/focus.ts';

import classes from './end-pill.module.css';
import { useEndKey } from './use-end-key.ts';

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
