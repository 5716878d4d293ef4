import type { Filter } from '#domain/rules/inbox.ts';

import classes from './list-status.module.css';

/** Why no client is shown. */
const EMPTY: Readonly<Record<Filter, string>> = {
  all: '',
  waiting: 'No client is waiting for a reply.',
  unread: 'Nothing unread.',
  mine: "You haven't taken any rooms. Take one under “Follow up”.",
};

const toFound = (count: number): string => `${count} ${count === 1 ? 'client' : 'clients'} found`;

/**
 * Shows below the list why it is empty. Otherwise, screen readers announce the number of search
 * results.
 */
const ListStatus = ({
  query,
  filter,
  count,
}: {
  readonly query: string;
  readonly filter: Filter;
  /** Clients shown; undefined while that is not known. */
  readonly count: number | undefined;
}) => {
  const none = query === '' ? EMPTY[filter] : `No clients match “${query}”.`;
  const isNone = count === 0 && none !== '';
  const found = query === '' || count === undefined ? '' : toFound(count);
  return (
    <p role="status" className={isNone ? classes['none'] : 'visually-hidden'}>
      {isNone ? none : found}
    </p>
  );
};

export default ListStatus;
