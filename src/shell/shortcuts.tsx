import { useEffect, useRef } from 'react';

import { ALT_KEY, MOD_KEY } from '#src/feedback/key-names.ts';

import classes from './shortcuts.module.css';

const SHORTCUTS = [
  { keys: [MOD_KEY, 'K'], does: 'Go to a client or room' },
  { keys: [ALT_KEY, '↑'], does: 'Room before' },
  { keys: [ALT_KEY, '↓'], does: 'Room after' },
  { keys: [ALT_KEY, 'Shift', '↑'], does: 'Unread room before' },
  { keys: [ALT_KEY, 'Shift', '↓'], does: 'Unread room after' },
  { keys: ['Esc'], does: 'Newest message; close what is open' },
  { keys: ['Enter'], does: 'Send the message' },
  { keys: ['Shift', 'Enter'], does: 'New line in the message' },
  { keys: [MOD_KEY, '/'], does: 'These shortcuts' },
] as const;

/** What the keyboard does. */
const Shortcuts = ({ onClose }: { readonly onClose: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className={classes['dialog']}
      aria-labelledby="shortcuts-title"
      onClose={onClose}
    >
      <h2 id="shortcuts-title" className={classes['title']}>
        Keyboard shortcuts
      </h2>
      <dl className={classes['list']}>
        {SHORTCUTS.map(({ keys, does }) => (
          <div key={does} className={classes['row']}>
            <dt className={classes['keys']}>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" className={classes['close']}>
          Close
        </button>
      </form>
    </dialog>
  );
};

export default Shortcuts;
