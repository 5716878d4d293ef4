import { useContext, useId, useMemo, useRef } from 'react';
import { IconChecks, IconClock, IconSortAZ } from '@tabler/icons-react';

import { type Filter, FILTERS, type InboxChoice } from '#domain/rules/inbox.ts';
import type { Team } from '#domain/schemas/team.ts';
import { toUnreadLabel } from '#domain/rules/unread-label.ts';

import { useMarkAllRead } from '#src/actors/mark-all-read.ts';
import { UnreadContext } from '#src/ui/page-frame.ts';
import '#src/ui/fields/choice.css';

import type { Lines, RoomFilter } from './use-lines.ts';
import classes from './filters.module.css';

const TITLES: Readonly<Record<Filter, string>> = {
  all: 'All',
  waiting: 'Needs reply',
  unread: 'Unread',
  mine: 'Mine',
};

const toClients = (count: number): string | undefined =>
  count === 0 ? undefined : `${count} ${count === 1 ? 'client' : 'clients'}`;

/** The filters of the clients and their order. Names of controls contain no numbers. */
const Filters = ({
  choice: { filter, order },
  teams,
  lines,
  unread,
  onChoose,
}: {
  readonly choice: InboxChoice;
  readonly teams: readonly Team[];
  readonly lines: Lines;
  /** Clients with unread messages. */
  readonly unread: number;
  readonly onChoose: (part: Partial<InboxChoice>) => void;
}) => {
  const id = useId();
  const isByName = order === 'name';
  const Icon = isByName ? IconSortAZ : IconClock;
  const counts = useMemo(() => {
    const count = (each: RoomFilter) => lines.list(each, teams)?.length ?? 0;
    return { all: 0, waiting: count('waiting'), unread, mine: count('mine') };
  }, [lines, teams, unread]);
  const choices = useRef<HTMLDivElement>(null);
  const markAllRead = useMarkAllRead(useContext(UnreadContext));
  const title = isByName ? 'Ordered by name' : 'Ordered by last activity';
  return (
    <>
      <div className={classes['root']}>
        <div ref={choices} role="radiogroup" aria-label="Show" className={classes['choices']}>
          {FILTERS.map((each) => (
            <label key={each} className={classes['choice']} title={toClients(counts[each])}>
              <input
                type="radio"
                name="client-filter"
                className="cover"
                checked={filter === each}
                aria-describedby={counts[each] > 0 ? `${id}-${each}` : undefined}
                onChange={() => onChoose({ filter: each })}
              />
              {TITLES[each]}
              {counts[each] > 0 && (
                <>
                  <span
                    aria-hidden
                    className={classes['count']}
                    data-count={toUnreadLabel(counts[each])}
                  />
                  <span id={`${id}-${each}`} hidden>
                    {toClients(counts[each])}
                  </span>
                </>
              )}
            </label>
          ))}
        </div>
        <button
          type="button"
          className={classes['order']}
          aria-label={isByName ? 'Order by last activity' : 'Order by name'}
          title={title}
          onClick={() => onChoose({ order: isByName ? 'activity' : 'name' })}
        >
          <Icon size={18} stroke={1.8} aria-hidden />
        </button>
      </div>
      {filter === 'unread' && unread > 0 && (
        <button
          type="button"
          className={classes['read']}
          onClick={() => {
            // The button disappears with the last unread client.
            choices.current?.querySelector<HTMLInputElement>(':checked')?.focus();
            void markAllRead();
          }}
        >
          <IconChecks size={18} stroke={1.8} aria-hidden />
          Mark all as read
        </button>
      )}
    </>
  );
};

export default Filters;
