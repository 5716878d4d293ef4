import type { RefObject } from 'react';
import {
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconSearch,
} from '@tabler/icons-react';

import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';
import { usePageFrame } from '#src/ui/page-frame.ts';
import { useReturnedFocus } from '#src/ui/hooks/use-returned-focus.ts';

import classes from './client-column.module.css';
import type { SearchPanel } from './use-search-panel.ts';

/**
 * Its place stays empty until it has loaded; its chunk is loaded once the lists have their texts.
 */
const ClientSearch = lazyComponent(
  () => import('./client-search.tsx'),
  () => <search className={classes['search']} />,
);

const HeadButton = ({
  icon: Icon,
  label,
  part,
  button,
  onClick,
}: {
  readonly icon: typeof IconSearch;
  readonly label: string;
  readonly part: 'search' | 'toggle';
  readonly button?: RefObject<HTMLButtonElement | null>;
  readonly onClick: () => void;
}) => (
  <button
    ref={button}
    type="button"
    className={classes['button']}
    data-part={part}
    aria-label={label}
    onClick={onClick}
  >
    <Icon size={20} stroke={1.8} aria-hidden />
  </button>
);

/** The bar above the clients: search, and expand or collapse. */
export const ClientsHead = ({
  search,
  expanded,
  onToggle,
  onEnter,
}: {
  readonly search: SearchPanel;
  readonly expanded: boolean;
  readonly onToggle: () => void;
  readonly onEnter: () => void;
}) => {
  const { phone } = usePageFrame();
  const button = useReturnedFocus<HTMLButtonElement>(search.open);
  // On a phone the clients are the whole page.
  const Title = phone ? 'h1' : 'span';
  return (
    <div className={classes['head']}>
      <Title className={search.open ? 'visually-hidden' : classes['title']}>Clients</Title>
      {search.open ? (
        <ClientSearch search={search} onEnter={onEnter} />
      ) : (
        <HeadButton
          icon={IconSearch}
          label="Search clients"
          part="search"
          button={button}
          onClick={search.start}
        />
      )}
      <HeadButton
        icon={expanded ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand}
        label={expanded ? 'Collapse clients' : 'Expand clients'}
        part="toggle"
        onClick={onToggle}
      />
    </div>
  );
};
