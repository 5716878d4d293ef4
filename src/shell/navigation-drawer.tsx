import { useEffect, useRef } from 'react';
import { IconX } from '@tabler/icons-react';

import classes from './navigation-drawer.module.css';
import { NavigationLinks } from './navigation-links.tsx';
import railClasses from './main-navigation.module.css';

/** The main navigation of phones: a modal dialog at the left edge; Escape or outside closes. */
export const NavigationDrawer = ({ onClose }: { readonly onClose: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={classes['drawer']}
      aria-label="Navigation"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) event.currentTarget.close();
      }}
    >
      <div className={classes['head']}>
        <span className={classes['name']}>Replay Desk</span>
        <button
          type="button"
          className={classes['close']}
          aria-label="Close navigation"
          onClick={() => dialog.current?.close()}
        >
          <IconX size={22} aria-hidden />
        </button>
      </div>
      <nav aria-label="Main" className={railClasses['wide']}>
        <NavigationLinks onNavigate={() => dialog.current?.close()} />
      </nav>
    </dialog>
  );
};
