import { Button } from '@mantine/core';
import { IconGift, IconReceipt, IconFileCheck, IconVideo } from '@tabler/icons-react';

import { ROUTES } from '#domain/routes.ts';
import { Link } from '#src/ui/address.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { usePageTitle } from '#src/ui/page-title.ts';
import { withMantine } from '#src/ui/mantine/with-mantine.tsx';

/** Sections without content yet: title and purpose only. */
const SECTION_TEXTS = {
  videos: {
    title: 'Videos',
    icon: IconVideo,
    text: 'This page will list the replays and cuts for your clients.',
  },
  deliveries: {
    title: 'Deliveries',
    icon: IconFileCheck,
    text: 'This page will list finished and pending deliveries for each client.',
  },
  spendings: {
    title: 'Spendings',
    icon: IconReceipt,
    text: "This page will show your team's spending by month and by client.",
  },
  referral: {
    title: 'Referral',
    icon: IconGift,
    text: 'This page will let you invite other crews and see your rewards.',
  },
} as const;

type SectionName = keyof typeof SECTION_TEXTS;

/** Placeholder for a section without content yet. */
const SectionPage = ({ name }: { readonly name: SectionName }) => {
  const { title, icon: Icon, text } = SECTION_TEXTS[name];
  usePageTitle(title);
  return (
    <EmptyState
      level="h1"
      icon={<Icon size={26} stroke={1.6} />}
      title={title}
      text={`${text} Meanwhile, your conversations are in Chat.`}
    >
      <Button component={Link} to={ROUTES.chat}>
        Open Chat
      </Button>
    </EmptyState>
  );
};

export default withMantine(SectionPage);
