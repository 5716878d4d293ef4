import {
  IconHome,
  IconLayoutDashboard,
  IconMessageCircle,
  IconReceipt,
  IconSettings,
  IconFileCheck,
  IconGift,
  IconVideo,
} from '@tabler/icons-react';

import { ROUTES } from '#domain/routes.ts';

/** The main navigation, in order (spec §1). */
export const NAVIGATION_ITEMS = [
  { to: ROUTES.home, label: 'Home', icon: IconHome },
  { to: ROUTES.dashboard, label: 'Dashboard', icon: IconLayoutDashboard },
  { to: ROUTES.videos, label: 'Videos', icon: IconVideo },
  { to: ROUTES.chat, label: 'Chat', icon: IconMessageCircle },
  { to: ROUTES.deliveries, label: 'Deliveries', icon: IconFileCheck },
] as const;

/** Pages of the user menu, in order (spec §1). */
export const USER_PAGES = [
  { to: ROUTES.settings, label: 'Settings', icon: IconSettings },
  { to: ROUTES.spendings, label: 'Spendings', icon: IconReceipt },
  { to: ROUTES.referral, label: 'Referral', icon: IconGift },
] as const;
