import type { RefObject } from 'react';

import { useTeams } from '#db/hooks/use-stored.ts';
import type { Filter, InboxChoice } from '#domain/rules/inbox.ts';
import type { Team } from '#domain/schemas/team.ts';
import { useChatIds } from '#src/ui/address.tsx';
import { usePageFrame } from '#src/ui/page-frame.ts';

import classes from './list-status.module.css';
import { isCurrent, useCurrency } from './use-currency.ts';
import { useListScroll } from './use-list-scroll.ts';

/** Why no client is shown. */
const EMPTY: Readonly<Record<Filter, string>> = {
  all: 'You have no clients yet.',
  waiting: 'No client is waiting for a reply.',
  unread: 'Nothing unread.',
  mine: "You haven't taken any rooms. Take one under “Follow up”.",
};

/** The same while rooms or messages are missing on this device. */
const NOT_FOUND: Readonly<Record<Filter, string>> = {
  ...EMPTY,
  waiting: 'No client is waiting for a reply in the messages on this device.',
  unread: 'Nothing unread in the messages on this device.',
  mine: 'No room that you have taken is on this device.',
};

const toFound = (count: number): string => `${count} ${count === 1 ? 'client' : 'clients'} found`;

/**
 * Shows below the list why it is empty. Otherwise, screen readers announce the number of search
 * results. It also scrolls the list.
 */
const ListStatus = ({
  query,
  filter,
  order,
  teams,
  scroller,
}: InboxChoice & {
  readonly query: string;
  /** Clients shown; undefined while they are not known. */
  readonly teams: readonly Team[] | undefined;
  readonly scroller: RefObject<HTMLElement | null>;
}) => {
  const openId = useChatIds()?.clientId;
  useListScroll(scroller, teams, {
    view: `${filter} ${order} ${query}`,
    // Search results stay at their first one.
    openId: query === '' ? openId : undefined,
  });
  const currency = useCurrency(useTeams());
  const texts = usePageFrame().isCounted && isCurrent(currency) ? EMPTY : NOT_FOUND;
  const none = query === '' ? texts[filter] : `No clients match “${query}”.`;
  const isNone = teams?.length === 0;
  const found = query === '' || teams === undefined ? '' : toFound(teams.length);
  return (
    <p role="status" className={isNone ? classes['none'] : 'visually-hidden'}>
      {isNone ? none : found}
    </p>
  );
};

export default ListStatus;
