import { memo, useRef } from 'react';
import { IconPlayerTrackNext, IconSearch } from '@tabler/icons-react';

import { openPalette } from '../keyboard/use-shortcut.ts';
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
      <button type="button" className={classes['link']} onClick={openPalette}>
        <IconSearch className={classes['icon']} size={24} stroke={1.6} aria-hidden />
        <span className={classes['label']}>Search</span>
        <span className={classes['caption']} aria-hidden>
          Search
        </span>
      </button>
      <div className={classes['foot']}>
        <UserMenu position="right-end" size={AVATAR_PX} />
      </div>
    </nav>
  );
});
