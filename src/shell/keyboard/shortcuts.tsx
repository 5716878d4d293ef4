import { useEffect, useRef } from 'react';

import { MOD_KEY, ROOM_KEYS, SHIFT_KEY } from '#src/ui/key-names.ts';

import classes from './shortcuts.module.css';

const SHORTCUTS: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: [MOD_KEY, 'K'], does: 'Search clients, rooms, messages and commands' },
  { keys: [...ROOM_KEYS, '↑'], does: 'Previous room' },
  { keys: [...ROOM_KEYS, '↓'], does: 'Next room' },
  { keys: [...ROOM_KEYS, SHIFT_KEY, '↑'], does: 'Previous unread' },
  { keys: [...ROOM_KEYS, SHIFT_KEY, '↓'], does: 'Next unread' },
  { keys: ['J'], does: 'Home: next entry, also with ↓' },
  { keys: ['K'], does: 'Home: previous entry, also with ↑' },
  { keys: ['R'], does: 'Home: reply without opening the room' },
  { keys: ['E'], does: 'Home: done, no reply needed' },
  { keys: ['Esc'], does: 'Jump to latest message; close a reply or a dialog' },
  { keys: ['Enter'], does: 'Send the message' },
  { keys: [SHIFT_KEY, 'Enter'], does: 'Insert a line break' },
  { keys: [MOD_KEY, '/'], does: 'Keyboard shortcuts' },
];

/** The list of keyboard shortcuts. */
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
