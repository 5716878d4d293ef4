import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { IconSearch } from '@tabler/icons-react';

import { SEARCH_PARAM, toSearchPath } from '#domain/queries.ts';
import { isEmptyQuery, parseSearchQuery } from '#domain/text/search-query.ts';
import { useSession } from '#src/actors/actors.ts';
import { useMessageSearch } from '#src/actors/search.ts';
import { useSearch } from '#src/ui/address.tsx';
import { readExtent, replaceAddress, useRestorePosition } from '#src/ui/restore-position.ts';
import { isComposing, isTouch } from '#src/ui/key-names.ts';
import { PlainButton } from '#src/ui/plain-button.tsx';
import { useKeyDown } from '#src/ui/hooks/use-key-down.ts';
import { useNextFocus } from '#src/ui/hooks/use-next-focus.ts';
import { useNow } from '#src/ui/use-now.ts';
import { usePageTitle } from '#src/ui/page-title.ts';

import { SearchClients } from './search-clients.tsx';
import { SearchOlder } from './search-older.tsx';
import { isSearchComplete, SearchCoverageLine } from './search-coverage.tsx';
import classes from './search-page.module.css';
import { SearchResults } from './search-results.tsx';

/** Hits shown at first, and how many more at a time: 50 would be painted in a task of over 50 ms. */
const PAGE = 25;
/** The address follows the text after this pause, ms; browsers limit how often it may change. */
const ADDRESS_AFTER_MS = 400;

/** A day may end while the page is open. */
const DAY_CHECK_MS = 60_000;

/**
 * The text of the search, also stored in the address, so that a reload or "back" shows it again.
 */
const useSearchText = () => {
  const written = new URLSearchParams(useSearch()).get(SEARCH_PARAM) ?? '';
  const [text, setText] = useState(written);
  const [seen, setSeen] = useState(written);
  if (written !== seen) {
    setSeen(written);
    setText(written);
  }
  useEffect(() => {
    if (text === written) return undefined;
    const timer = setTimeout(() => replaceAddress(toSearchPath(text)), ADDRESS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, written]);
  const keep = (): void => {
    if (text !== written) replaceAddress(toSearchPath(text));
  };
  return { text, setText, keep };
};

const EXAMPLES: readonly (readonly [string, string])[] = [
  ['"second half"', 'these words in this order'],
  ['from:leila', 'sent by this person; from:me for your own'],
  ['in:okafor', 'with a client or in a room; in:producers'],
  ['after:2026-11-01', 'from this day on; also today, yesterday'],
  ['before:2026-11-20', 'before this day'],
];

const Help = () => (
  <div className={classes['help']}>
    <p>Finds messages with all of these words. Capital letters and accents don't matter.</p>
    <dl className={classes['examples']}>
      {EXAMPLES.map(([example, meaning]) => (
        <div key={example}>
          <dt>
            <code>{example}</code>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  </div>
);

/** The first message found, or the first client. */
const findFirst = (root: HTMLElement | null) =>
  root?.querySelector<HTMLElement>('[aria-label="Results"] a') ?? root?.querySelector('a');

/** Whether an element begins after another one does, in the order of the page. */
const isAfter = (later: Element, earlier: Element): boolean =>
  (earlier.compareDocumentPosition(later) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

/**
 * Moves among the field and the results with the arrow keys. Enter in the field opens the first
 * message, once it is one of the text in the field; on a touch device it closes the keyboard, which
 * may cover the results.
 */
const useArrowKeys = (
  root: RefObject<HTMLElement | null>,
  field: RefObject<HTMLInputElement | null>,
  { text, isPending }: { readonly text: string; readonly isPending: boolean },
): void => {
  /** The text for which Enter was pressed; it may also change without a key, by pasting. */
  const entered = useRef<string>(undefined);
  useEffect(() => {
    // A user who has left the field reads the results, and must stay on the page.
    const isInField = document.activeElement === field.current;
    if (!isPending && entered.current === text && isInField) findFirst(root.current)?.click();
    entered.current = undefined;
  }, [root, field, text, isPending]);
  useKeyDown((event) => {
    // The page or nothing has the focus if the search was opened with its text.
    const { target } = event;
    const isOutside = target instanceof Element && !target.matches('body, main');
    if (isOutside && root.current?.contains(target) !== true) return;
    if (isComposing(event)) return;
    // They select text in the field.
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    entered.current = undefined;
    const links = [...(root.current?.querySelectorAll<HTMLAnchorElement>('a') ?? [])];
    const here = document.activeElement ?? document.body;
    const isInField = here === field.current;
    if (event.key === 'ArrowDown') links.find((link) => isAfter(link, here))?.focus();
    else if (event.key === 'ArrowUp') {
      (links.findLast((link) => isAfter(here, link)) ?? field.current)?.focus();
    } else if (event.key === 'Enter' && isInField) {
      if (isTouch()) field.current?.blur();
      else if (isPending) entered.current = text;
      else findFirst(root.current)?.click();
    } else if (event.key === 'Escape' && !isInField) field.current?.focus();
    else return;
    event.preventDefault();
  });
};

/** The results of another search begin at their top. */
const useTopOfSearch = (root: RefObject<HTMLElement | null>, text: string): void => {
  const searched = useRef(text);
  useLayoutEffect(() => {
    if (searched.current === text) return;
    searched.current = text;
    root.current?.closest('main')?.scrollTo({ top: 0 });
  }, [root, text]);
};

/** Searches the messages of all rooms, as far as they are on this device. */
const SearchPage = () => {
  usePageTitle('Search');
  const { text, setText, keep } = useSearchText();
  const today = useNow(DAY_CHECK_MS);
  const uid = useSession().user?.uid;
  const [limit, setLimit] = useState(() => ({ of: text, count: Number(readExtent(uid) ?? PAGE) }));
  const count = limit.of === text ? limit.count : PAGE;
  const query = parseSearchQuery(text, today);
  const isEmpty = isEmptyQuery(query);
  const view = useMessageSearch(text, isEmpty ? 0 : count);
  const field = useRef<HTMLInputElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const results = useRef<HTMLDivElement>(null);
  const isNew = useRef(text === '');
  const { ask } = useNextFocus(results, view.hits.length);
  useRestorePosition(root, uid, { extent: count, isShown: isSearchComplete(view) });
  useTopOfSearch(root, text);
  useArrowKeys(root, field, { text, isPending: !isEmpty && view.state === 'pending' });
  useEffect(() => {
    if (isNew.current) field.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={root} className={classes['root']}>
      <h1 className={classes['title']}>Search</h1>
      <form role="search" className={classes['form']} onSubmit={(event) => event.preventDefault()}>
        <IconSearch size={20} stroke={1.7} aria-hidden />
        <input
          ref={field}
          type="search"
          className={classes['field']}
          aria-label="Search messages"
          placeholder="Search messages"
          autoComplete="off"
          enterKeyHint="search"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
      <SearchCoverageLine view={view} isEmpty={isEmpty} hasPlace={query.in.length > 0} />
      <SearchOlder query={query} />
      {isEmpty ? <Help /> : <SearchClients text={text} onChoose={keep} />}
      {!isEmpty && isSearchComplete(view) && view.total === 0 && (
        <p className={classes['none']}>
          No message on this device matches <q>{text.trim()}</q>.
        </p>
      )}
      <div ref={results} aria-busy={view.state === 'pending'}>
        {!isEmpty && view.hits.length > 0 && <SearchResults hits={view.hits} onChoose={keep} />}
      </div>
      {!isEmpty && view.total > view.hits.length && view.hits.length > 0 && (
        <PlainButton
          kind="pill"
          text={`Show ${Math.min(PAGE, view.total - view.hits.length)} more`}
          onClick={() => {
            ask();
            setLimit({ of: text, count: count + PAGE });
          }}
        />
      )}
    </div>
  );
};

export default SearchPage;
