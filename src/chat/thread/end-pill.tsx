import { IconArrowDown } from '@tabler/icons-react';

import classes from './end-pill.module.css';
import { focusThread } from '#src/ui/focus.ts';

/** Jumps to the latest message while that is not visible; `unseen` if messages arrived below. */
const EndPill = ({
  unseen,
  onClick,
}: {
  readonly unseen: boolean;
  readonly onClick: () => void;
}) => (
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

export default EndPill;
