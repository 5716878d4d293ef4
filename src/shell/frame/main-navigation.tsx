import { memo, useRef } from 'react';
import { IconPlayerTrackNext } from '@tabler/icons-react';

import classes from './main-navigation.module.css';
import { NavigationLinks } from './navigation-links.tsx';
import { useRailOpen } from './use-rail-open.ts';
import { UserMenu } from './user-menu.tsx';

const AVATAR_PX = 44;

/** The rail of desktops: 90 px, and 200 px over the page while hovered or focused (spec §2). */
export const MainNavigation = memo(() => {
  const rail = useRef<HTMLElement>(null);
  const open = useRailOpen(rail);
  return (
    <nav ref={rail} aria-label="Main" className={classes['rail']} data-expanded={open || undefined}>
      <span className={classes['brand']} aria-hidden>
        <span className={classes['mark']}>
          <IconPlayerTrackNext size={20} stroke={2} />
        </span>
        <span className={classes['name']}>Replay Desk</span>
      </span>
      <NavigationLinks />
      <div className={classes['foot']}>
        <UserMenu position="right-end" size={AVATAR_PX} />
      </div>
    </nav>
  );
});
