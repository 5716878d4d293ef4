import { type KeyboardEvent, useCallback, useRef, useState } from 'react';

import { toDraftPreview } from '#domain/text/preview.ts';
import { toVisible } from '#domain/visible-text.ts';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';

import { Quotes } from '../quotes/quotes.tsx';
import { moveAlong, watchKeys, watchPress } from './message-keys.ts';
import classes from './message-actions.module.css';
import type { ThreadRow } from './thread-row.ts';

/** Without its chunk the button has no effect. */
const MessageMenu = lazyComponent(() => import('./message-menu.tsx'), null);

watchKeys();

/**
 * The parts of a message that load after it is shown: the messages that it quotes, the note of one
 * without anything to see, and the button of its menu. The button is visible while the pointer is
 * over the message, or the focus in it; on touch a tap shows it, and a long press opens the menu at
 * once.
 */
const MessageActions = ({ row }: { readonly row: ThreadRow }) => {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const root = useCallback((element: HTMLElement | null) => {
    const message = element?.parentElement ?? undefined;
    return message && watchPress(message, button, () => setOpen(true));
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>): void => {
    if (moveAlong(event.currentTarget, event.key)) event.preventDefault();
  };
  const said = toVisible(row.text);
  if (!row.readable && row.at === '') return undefined;
  return (
    <>
      {row.readable && <Quotes text={row.text} />}
      {row.readable && said !== row.text && <p className={classes['empty']}>{said}</p>}
      <div ref={root} className={classes['root']}>
        <button
          ref={button}
          type="button"
          aria-label="Message actions"
          title="Message actions"
          // ARIA 1.3, unknown to the linter: all these buttons have the same name.
          {...{ 'aria-description': `${row.name}: ${toDraftPreview(said).text}` }}
          aria-haspopup="menu"
          aria-expanded={isOpen}
          // One stop for all messages (message-keys.ts).
          tabIndex={-1}
          data-message-actions
          className={classes['button']}
          // The menu closes on a press outside, and the click would open it again. Another open
          // menu has to see the press.
          onMouseDown={(event) => isOpen && event.stopPropagation()}
          onTouchStart={(event) => isOpen && event.stopPropagation()}
          onClick={() => setOpen(!isOpen)}
          onKeyDown={onKeyDown}
        />
        {isOpen && <MessageMenu row={row} onClose={() => setOpen(false)} button={button} />}
      </div>
    </>
  );
};

export default MessageActions;
