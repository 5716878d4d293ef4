import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';

import { ROUTES } from '#domain/routes.ts';
import { Link } from '#src/ui/address.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { usePageTitle } from '#src/ui/page-title.ts';
import { withMantine } from '#src/ui/mantine/with-mantine.tsx';

/** The page for an unknown address. */
const NotFoundPage = () => {
  usePageTitle('Page not found');
  return (
    <EmptyState
      level="h1"
      icon={<IconMapQuestion size={26} stroke={1.6} />}
      title="Page not found"
      text="There is no page at this address. Check it for typing errors, or continue in Chat."
    >
      <Button component={Link} to={ROUTES.chat}>
        Open Chat
      </Button>
      <Button component={Link} to={ROUTES.home} variant="default">
        Go to Home
      </Button>
    </EmptyState>
  );
};

export default withMantine(NotFoundPage);
