import {
  IconGift,
  IconLayoutDashboard,
  IconReceipt,
  IconFileCheck,
  IconVideo,
} from '@tabler/icons-react';

/** Sections that come later: title and purpose, nothing invented. */
export const SECTION_TEXTS = {
  dashboard: {
    title: 'Dashboard',
    icon: IconLayoutDashboard,
    text: 'Your clients at a glance, and who is waiting for an answer.',
  },
  videos: {
    title: 'Videos',
    icon: IconVideo,
    text: 'The replays and cuts you make for your clients.',
  },
  deliveries: {
    title: 'Deliveries',
    icon: IconFileCheck,
    text: 'What you delivered to each client, and what is on its way.',
  },
  spendings: {
    title: 'Spendings',
    icon: IconReceipt,
    text: "Your desk's spending by month and by client.",
  },
  referral: {
    title: 'Referral',
    icon: IconGift,
    text: 'Invite other crews and see your rewards.',
  },
} as const;

export type SectionName = keyof typeof SECTION_TEXTS;
