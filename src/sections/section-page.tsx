import { Button } from '@mantine/core';
import { Link } from 'react-router';

import { ROUTES } from '#domain/routes.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { usePageTitle } from '#src/ui/page-title.ts';

import { SECTION_TEXTS, type SectionName } from './section-texts.ts';

/** Stands in for a section that comes later. */
const SectionPage = ({ name }: { readonly name: SectionName }) => {
  const { title, icon: Icon, text } = SECTION_TEXTS[name];
  usePageTitle(title);
  return (
    <EmptyState
      level="h1"
      icon={<Icon size={26} stroke={1.6} />}
      title={title}
      text={`${text} Coming later. Meanwhile, your conversations are in Chat.`}
    >
      <Button component={Link} to={ROUTES.chat}>
        Open Chat
      </Button>
    </EmptyState>
  );
};

export default SectionPage;
