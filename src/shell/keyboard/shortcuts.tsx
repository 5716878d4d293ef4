import { useEffect, useRef } from 'react';

import { MOD_KEY, ROOM_KEYS, SHIFT_KEY } from '#src/ui/key-names.ts';

import '#src/ui/dialog.css';
import classes from './shortcuts.module.css';

interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
}

const SHORTCUTS: Readonly<Record<string, readonly Shortcut[]>> = {
  'On all pages': [
    { keys: [MOD_KEY, 'K'], does: 'Search clients, rooms, messages and commands' },
    { keys: [MOD_KEY, '/'], does: 'Keyboard shortcuts' },
    { keys: [MOD_KEY, 'Z'], does: 'Undo what was just done' },
    { keys: ['Esc'], does: 'Close a reply or a dialog' },
  ],
  Home: [
    { keys: ['J'], does: 'Next entry, also with ↓' },
    { keys: ['K'], does: 'Previous entry, also with ↑' },
    { keys: ['R'], does: 'Reply without opening the room' },
    { keys: ['E'], does: 'Done, no reply needed' },
  ],
  Chat: [
    { keys: [...ROOM_KEYS, '↑'], does: 'Previous room' },
    { keys: [...ROOM_KEYS, '↓'], does: 'Next room' },
    { keys: [...ROOM_KEYS, SHIFT_KEY, '↑'], does: 'Previous unread' },
    { keys: [...ROOM_KEYS, SHIFT_KEY, '↓'], does: 'Next unread' },
    { keys: ['Esc'], does: 'Jump to latest message' },
    { keys: ['Enter'], does: 'Send the message' },
    { keys: [SHIFT_KEY, 'Enter'], does: 'Insert a line break' },
  ],
};

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
      <h2 id="shortcuts-title">Keyboard shortcuts</h2>
      {Object.entries(SHORTCUTS).map(([place, shortcuts]) => (
        <section key={place}>
          <h3 className={classes['place']}>{place}</h3>
          <dl>
            {shortcuts.map(({ keys, does }) => (
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
        </section>
      ))}
      <form method="dialog">
        <button type="submit" className={classes['close']}>
          Close
        </button>
      </form>
    </dialog>
  );
};

export default Shortcuts;
