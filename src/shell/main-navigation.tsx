import { type SyntheticEvent, useState } from 'react';
import { IconPlayerTrackNext } from '@tabler/icons-react';

import { NavigationLinks } from './navigation-links.tsx';
import classes from './main-navigation.module.css';
import { UserMenu } from './user-menu.tsx';

/** The user menu's list hangs in the page, not in the rail, though React sees it inside. */
const isInside = (event: SyntheticEvent<HTMLElement>): boolean =>
  event.target instanceof Node && event.currentTarget.contains(event.target);

/**
 * The rail of desktops: 90 px, 200 px over the page while pointed at or focused by keyboard
 * (spec §2); Escape closes it until the pointer or the focus comes anew.
 */
export const MainNavigation = () => {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const close = (): void => {
    setPointed(false);
    setFocused(false);
  };
  return (
    <nav
      aria-label="Main"
      className={classes['rail']}
      data-expanded={pointed || focused || undefined}
      onPointerEnter={(event) => setPointed(isInside(event) && event.pointerType !== 'touch')}
      onPointerLeave={() => setPointed(false)}
      onFocus={(event) =>
        setFocused(isInside(event) && event.target.matches(':focus-visible'))
      }
      onBlur={() => setFocused(false)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <span className={classes['brand']} aria-hidden>
        <span className={classes['mark']}>
          <IconPlayerTrackNext size={20} stroke={2} />
        </span>
        <span className={classes['name']}>Replay Desk</span>
      </span>
      <NavigationLinks onNavigate={() => setFocused(false)} />
      <div className={classes['foot']}>
        <UserMenu position="right-end" />
      </div>
    </nav>
  );
};
