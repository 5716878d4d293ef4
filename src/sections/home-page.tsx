import { Button } from '@mantine/core';
import { IconMessageCircle } from '@tabler/icons-react';
import { Link } from 'react-router';

import { useTeams } from '#db/hooks/use-teams.ts';
import { ROUTES } from '#domain/routes.ts';
import { useSession } from '#src/app/actors.ts';
import { EmptyState } from '#src/feedback/empty-state.tsx';
import { usePageTitle } from '#src/feedback/page-title.ts';

const toCountText = (count: number | undefined): string =>
  count === undefined || count === 0
    ? 'Your conversations with clients are in Chat.'
    : `${count} ${count === 1 ? 'client has' : 'clients have'} rooms with you in Chat.`;

/** Home: a greeting and the way to the conversations. */
export const HomePage = () => {
  usePageTitle(undefined);
  const { user } = useSession();
  const teams = useTeams();
  const firstName = user?.name?.trim().split(/\s+/)[0];
  return (
    <EmptyState
      level="h1"
      icon={<IconMessageCircle size={26} stroke={1.6} />}
      title={firstName === undefined || firstName === '' ? 'Welcome' : `Welcome, ${firstName}`}
      text={toCountText(teams?.length)}
    >
      <Button component={Link} to={ROUTES.chat}>
        Open Chat
      </Button>
    </EmptyState>
  );
};
