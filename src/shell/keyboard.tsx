import { useState } from 'react';

import type { UnreadByRoom } from '#domain/rules/unread.ts';
import { loadApart } from '#src/feedback/load-apart.tsx';

import { useRoomKeys } from './use-room-keys.ts';
import { useShortcut } from './use-shortcut.ts';

const nothing = () => null;
const Palette = loadApart(() => import('./palette.tsx'), nothing);
const Shortcuts = loadApart(() => import('./shortcuts.tsx'), nothing);

/**
 * The keyboard over any signed-in page: Ctrl or Cmd with K opens the palette, with / the list
 * of shortcuts, Alt with the arrows goes through the rooms, with Shift through those with something unread.
 */
const Keyboard = ({ unread }: { readonly unread: UnreadByRoom }) => {
  useRoomKeys(unread);
  const [open, setOpen] = useState<'palette' | 'shortcuts' | undefined>();
  const close = (): void => setOpen(undefined);
  useShortcut('k', () => setOpen((now) => (now === undefined ? 'palette' : now)));
  useShortcut('/', () => setOpen((now) => (now === undefined ? 'shortcuts' : now)));
  return (
    <>
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'shortcuts' && <Shortcuts onClose={close} />}
    </>
  );
};

export default Keyboard;
