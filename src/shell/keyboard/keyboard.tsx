import { useContext, useEffect, useState } from 'react';

import { useTeams } from '#db/hooks/use-stored.ts';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';
import { TEXT_FIELD } from '#src/ui/focus.ts';
import { useKeyDown } from '#src/ui/hooks/use-key-down.ts';
import { isDialogOpen, type ShortcutKey } from '#src/ui/key-names.ts';
import { UnreadContext, usePageFrame } from '#src/ui/page-frame.ts';
import { closeToast, listToasts } from '#src/ui/toasts/toast-store.ts';

import { repeatEarlyKey } from './early-keys.ts';
import { useRoomKeys } from './use-room-keys.ts';
import { useTouchKeyboard } from './use-touch-keyboard.ts';
import { HELP_KEY, isPressed, PALETTE_KEY, useShortcut } from './use-shortcut.ts';

const Palette = lazyComponent(() => import('../palette/palette.tsx'), null);
const Shortcuts = lazyComponent(() => import('./shortcuts.tsx'), null);

/** Closing the dialog of a sign-out in progress would cancel it. */
const CLOSED_BY_BACK = 'dialog:not([data-pending])';

/**
 * "Back" closes dialogs: a page that opens behind one would not get the focus. `popstate`, for
 * browsers without the Navigation API, arrives only after the page has changed.
 */
const useClosingBack = (): void => {
  useEffect(() => {
    const close = (): void => {
      for (const dialog of document.querySelectorAll<HTMLDialogElement>(CLOSED_BY_BACK)) {
        dialog.close();
      }
    };
    const onChange = ({ navigationType }: NavigationCurrentEntryChangeEvent): void => {
      if (navigationType === 'traverse') close();
    };
    const { navigation } = window as { readonly navigation?: Navigation };
    navigation?.addEventListener('currententrychange', onChange);
    window.addEventListener('popstate', close);
    return () => {
      navigation?.removeEventListener('currententrychange', onChange);
      window.removeEventListener('popstate', close);
    };
  }, []);
};

const UNDO_KEY: ShortcutKey = { writes: ['z'], code: 'KeyZ' };

/** Text fields have their own undo. */
const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches(TEXT_FIELD);

/** Undoes what the last toast offers to undo: its button is far away for the keyboard. */
const undoLast = (event: KeyboardEvent): void => {
  if (!isPressed(event, UNDO_KEY) || isField(event.target) || isDialogOpen()) return;
  const last = listToasts().findLast(({ action }) => action?.label === 'Undo');
  if (last === undefined) return;
  event.preventDefault();
  closeToast(last.id);
  last.action?.run();
};

/** Elements that use letters themselves. */
const TAKES_LETTERS =
  'input, textarea, select, [contenteditable], [role="menu"], [role="radiogroup"], dialog';

/** A letter typed beside the message field of an open room begins or continues the message. */
const typeMessage = (event: KeyboardEvent): void => {
  const { key, target } = event;
  // Other keys have names of several letters. AltGr counts as Ctrl and Alt; / and ' open Firefox's
  // own search.
  if (!/^[^\s/']$/u.test(key) || event.metaKey) return;
  if ((event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph')) return;
  if (event.defaultPrevented || isDialogOpen() || !(target instanceof Element)) return;
  if (target.closest(TAKES_LETTERS) !== null) return;
  // The browser then writes the letter into the field.
  document.querySelector<HTMLElement>('[data-shows] textarea[aria-label="Message"]')?.focus();
};

/**
 * Shortcuts on every signed-in page: Ctrl or Cmd with K opens the palette, with / the list of
 * shortcuts, with Z undoes what a toast offers; Alt (⌘⌥ on a Mac) with the arrow keys changes
 * rooms, with Shift among the unread ones.
 */
const Keyboard = () => {
  const { isCounted } = usePageFrame();
  const unread = useContext(UnreadContext);
  useRoomKeys(unread);
  useTouchKeyboard();
  useClosingBack();
  const [open, setOpen] = useState<'palette' | 'shortcuts' | undefined>();
  const close = (what: typeof open): void => setOpen((now) => (now === what ? undefined : now));
  // Also works while the other one closes: a dialog reports its end a moment after it is gone.
  useShortcut(PALETTE_KEY, () => setOpen('palette'));
  useShortcut(HELP_KEY, () => setOpen('shortcuts'));
  useKeyDown(undoLast);
  useKeyDown(typeMessage);
  const areRoomsKnown = useTeams() !== undefined && isCounted;
  // Runs after the effects of the listeners above.
  useEffect(() => repeatEarlyKey(areRoomsKnown), [areRoomsKnown]);
  return (
    <>
      {open === 'palette' && (
        <Palette
          unread={unread}
          onShortcuts={() => setOpen('shortcuts')}
          onClose={() => close('palette')}
        />
      )}
      {open === 'shortcuts' && <Shortcuts onClose={() => close('shortcuts')} />}
    </>
  );
};

export default Keyboard;
