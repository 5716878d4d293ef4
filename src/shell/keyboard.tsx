import { useState } from 'react';

import { loadApart } from '#src/feedback/load-apart.tsx';

import { useShortcut } from './use-shortcut.ts';

const nothing = () => null;
const Palette = loadApart(() => import('./palette.tsx'), nothing);
const Shortcuts = loadApart(() => import('./shortcuts.tsx'), nothing);

/** What Ctrl or Cmd opens over any signed-in page: K the palette, / the list of shortcuts. */
export const Keyboard = () => {
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
