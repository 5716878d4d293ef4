import { toSinceLabel } from '#domain/text/date-label.ts';
import { toEpochMs } from '#domain/timetoken.ts';
import type { SearchView } from '#src/actors/search.ts';
import { useNow } from '#src/ui/use-now.ts';

import classes from './search-page.module.css';

const NUMBER = new Intl.NumberFormat('en-US');

const toMessages = (count: number): string =>
  `${NUMBER.format(count)} ${count === 1 ? 'message' : 'messages'}`;

const toCoverage = ({ state, coverage }: SearchView, now: number): string => {
  if (state === 'failed') return "Couldn't search the messages on this device.";
  if (coverage === undefined) return 'Reading the messages on this device…';
  const { messages, since, isWhole } = coverage;
  if (!isWhole) return `Searched ${toMessages(messages)} so far…`;
  if (since === undefined) return 'There are no messages on this device yet.';
  return `Searched ${toMessages(messages)} on this device, since ${toSinceLabel(toEpochMs(since), now)}.`;
};

/** All messages on this device were searched: without a hit, there is none. */
export const isSearchComplete = ({ state, coverage }: SearchView): boolean =>
  state === 'found' && coverage?.isWhole === true;

/** The coverage of the search, its ignored filters, and the number of hits. */
export const SearchCoverageLine = ({
  view,
  isEmpty,
  hasPlace,
}: {
  readonly view: SearchView;
  readonly isEmpty: boolean;
  /** The query names a client or a room. */
  readonly hasPlace: boolean;
}) => {
  const now = useNow();
  return (
    <div className={classes['about']}>
      <p role="status" aria-label="Coverage">
        {/* The total before the first answer is that of the empty search: all messages. */}
        {!isEmpty && (view.state === 'found' || view.hits.length > 0) && (
          <strong>{toMessages(view.total)}. </strong>
        )}
        {/* Its numbers change with every message: only a failure and the hits are announced. */}
        <span aria-live={view.state === 'failed' ? undefined : 'off'}>
          {toCoverage(view, now)}
          {view.state !== 'failed' && !hasPlace && (
            <>
              {' '}
              Older messages may be on the server. To search them too, add <code>in:</code> and a
              client's name.
            </>
          )}
        </span>
      </p>
      {view.ignored.map((filter) => (
        <p key={filter} className={classes['ignored']}>
          <code>{filter}</code> has no valid date. Try 2026-11-03, 03/11/2026, today or yesterday.
        </p>
      ))}
    </div>
  );
};
