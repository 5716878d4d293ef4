import {
  IconHome,
  IconLayoutDashboard,
  IconMessageCircle,
  IconFileCheck,
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
