import { IconGift, IconMessageSearch, IconReceipt, IconSettings } from '@tabler/icons-react';

import { ROUTES } from '#domain/routes.ts';

/** The search of all messages; it is in the palette, and in the bar of phones. */
export const SEARCH_PAGE = {
  to: ROUTES.search,
  label: 'Search messages',
  icon: IconMessageSearch,
} as const;

/** Pages of the user menu, in order (spec §1). */
export const USER_PAGES = [
  { to: ROUTES.settings, label: 'Settings', icon: IconSettings },
  { to: ROUTES.spendings, label: 'Spendings', icon: IconReceipt },
  { to: ROUTES.referral, label: 'Referral', icon: IconGift },
] as const;
