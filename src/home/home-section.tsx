import { type ReactNode, useId } from 'react';

import { type Entry, type Section, SECTION_TITLES, SHOWN_MAX } from './sections.ts';
import classes from './home.module.css';

/** One region with its entries; a long one shows the first of them, and the rest on request. */
export const HomeSection = ({
  section: { name, entries, rooms },
  isExpanded,
  onToggle,
  children,
}: {
  readonly section: Section;
  readonly isExpanded: boolean;
  readonly onToggle: () => void;
  readonly children: (entry: Entry) => ReactNode;
}) => {
  const list = useId();
  const total = rooms.length;
  return (
    <section aria-label={SECTION_TITLES[name]} className={classes['section']} data-section={name}>
      <h2 className={classes['heading']}>
        {SECTION_TITLES[name]}{' '}
        {name !== 'recent' && (
          <span className={classes['count']}>
            {total} {total === 1 ? 'room' : 'rooms'}
          </span>
        )}
      </h2>
      <ul id={list} className={classes['list']} data-long={isExpanded || undefined}>
        {entries.map((entry) => children(entry))}
      </ul>
      {total > SHOWN_MAX && (
        <button
          type="button"
          className={classes['more']}
          aria-expanded={isExpanded}
          aria-controls={list}
          onClick={onToggle}
        >
          {isExpanded ? 'Show fewer' : `Show all ${total}`}
        </button>
      )}
    </section>
  );
};
