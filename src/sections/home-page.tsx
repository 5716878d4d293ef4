import { Button } from '@mantine/core';
import { IconMessageCircle } from '@tabler/icons-react';

import { useTeams } from '#db/hooks/use-teams.ts';
import { ROUTES } from '#domain/routes.ts';
import { sumClientUnread, toUnreadLabel, type UnreadByRoom } from '#domain/rules/unread.ts';
import type { Team } from '#domain/schemas/team.ts';
import { Link } from '#src/ui/address.tsx';
import { useSession } from '#src/actors/actors.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { usePageFrame } from '#src/ui/page-frame.ts';
import { usePageTitle } from '#src/ui/page-title.ts';
import { withMantine } from '#src/ui/mantine.tsx';

import { UnreadRooms } from './unread-rooms.tsx';

const NO_TEAMS: readonly Team[] = [];

const toText = (teams: readonly Team[], unread: UnreadByRoom): string => {
  const counts = teams.map((team) => sumClientUnread(unread, team.client_id));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const { length: writers } = counts.filter((count) => count > 0);
  if (total > 0) {
    const messages = `${toUnreadLabel(total)} unread ${total === 1 ? 'message' : 'messages'}`;
    return `${messages} from ${writers} ${writers === 1 ? 'client' : 'clients'}.`;
  }
  if (teams.length === 0) return 'Your conversations with clients are in Chat.';
  const { length: clients } = teams;
  return `You're all caught up. ${clients} ${clients === 1 ? 'client' : 'clients'}.`;
};

/** Home: a greeting, unread rooms, and a link to the conversations. */
const HomePage = () => {
  usePageTitle(undefined);
  const { user } = useSession();
  const teams = useTeams() ?? NO_TEAMS;
  const { unread } = usePageFrame();
  const firstName = user?.name?.trim().split(/\s+/)[0];
  return (
    <EmptyState
      level="h1"
      icon={<IconMessageCircle size={26} stroke={1.6} />}
      title={firstName === undefined || firstName === '' ? 'Welcome' : `Welcome, ${firstName}`}
      text={toText(teams, unread)}
    >
      <UnreadRooms teams={teams} unread={unread} />
      <Button component={Link} to={ROUTES.chat}>
        Open Chat
      </Button>
    </EmptyState>
  );
};

export default withMantine(HomePage);
