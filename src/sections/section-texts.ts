import {
  IconGift,
  IconLayoutDashboard,
  IconReceipt,
  IconFileCheck,
  IconVideo,
} from '@tabler/icons-react';

/** Sections that are not open yet: title and what will be here, nothing invented. */
export const SECTION_TEXTS = {
  dashboard: {
    title: 'Dashboard',
    icon: IconLayoutDashboard,
    text: 'An overview of your clients and of what waits for an answer will be here.',
  },
  videos: {
    title: 'Videos',
    icon: IconVideo,
    text: 'The replays and cuts you make for your clients will be listed here.',
  },
  deliveries: {
    title: 'Deliveries',
    icon: IconFileCheck,
    text: 'What was delivered to whom, and what is still on its way, will be here.',
  },
  spendings: {
    title: 'Spendings',
    icon: IconReceipt,
    text: 'What your desk spends, by month and by client, will be here.',
  },
  referral: {
    title: 'Referral',
    icon: IconGift,
    text: 'Inviting other crews to the service, and what you get for it, will be here.',
  },
} as const;

export type SectionName = keyof typeof SECTION_TEXTS;
