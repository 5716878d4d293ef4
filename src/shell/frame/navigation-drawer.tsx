import { useEffect, useRef } from 'react';
import { IconX } from '@tabler/icons-react';

import '#src/ui/dialog.css';
import classes from './navigation-drawer.module.css';
import { NavigationLinks } from './navigation-links.tsx';
import railClasses from './main-navigation.module.css';

/** The main navigation of phones: a modal dialog at the left edge; Escape or outside closes. */
const NavigationDrawer = ({ onClose }: { readonly onClose: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return undefined;
    const closeOutside = (event: MouseEvent): void => {
      // Its own empty part is inside.
      if (event.clientX > element.getBoundingClientRect().right) element.close();
    };
    element.addEventListener('click', closeOutside);
    element.showModal();
    return () => element.removeEventListener('click', closeOutside);
  }, []);
  return (
    <dialog ref={dialog} className={classes['drawer']} aria-label="Navigation" onClose={onClose}>
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

export default NavigationDrawer;
