import { useContext, useEffect, useState } from 'react';

import { useTeams } from '#db/hooks/use-stored.ts';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';
import { UnreadContext, usePageFrame } from '#src/ui/page-frame.ts';

import { repeatEarlyKey } from './early-keys.ts';
import { useRoomKeys } from './use-room-keys.ts';
import { useTouchKeyboard } from './use-touch-keyboard.ts';
import { HELP_KEY, PALETTE_KEY, useShortcut } from './use-shortcut.ts';

const Palette = lazyComponent(() => import('../palette/palette.tsx'), null);
const Shortcuts = lazyComponent(() => import('./shortcuts.tsx'), null);

/**
 * "Back" closes dialogs: a page that opens behind one would not get the focus. `popstate`, for
 * browsers without the Navigation API, arrives only after the page has changed.
 */
const useClosingBack = (): void => {
  useEffect(() => {
    const close = (): void => {
      for (const dialog of document.querySelectorAll('dialog')) dialog.close();
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

/**
 * Shortcuts on every signed-in page: Ctrl or Cmd with K opens the palette, with / the list of
 * shortcuts; Alt (⌘⌥ on a Mac) with the arrow keys changes rooms, with Shift among the unread ones.
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
