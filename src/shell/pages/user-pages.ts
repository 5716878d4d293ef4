import { IconGift, IconReceipt, IconSettings } from '@tabler/icons-react';

import { ROUTES } from '#domain/routes.ts';

/** Pages of the user menu, in order (spec §1). */
export const USER_PAGES = [
  { to: ROUTES.settings, label: 'Settings', icon: IconSettings },
  { to: ROUTES.spendings, label: 'Spendings', icon: IconReceipt },
  { to: ROUTES.referral, label: 'Referral', icon: IconGift },
] as const;
