import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';

import { useTeams } from '#db/hooks/use-stored.ts';
import { useVisited } from '#db/hooks/use-visited.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';
import { useLogout } from '#src/actors/actors.ts';
import { useMessageSearch } from '#src/actors/search.ts';
import { usePathname } from '#src/ui/address.tsx';
import { isComposing } from '#src/ui/key-names.ts';
import { usePageFrame } from '#src/ui/page-frame.ts';

import { type Choice, composeGroups, listOptions, type Page } from './entries.ts';

const NONE: readonly never[] = [];

/** Minimum length of a query that also searches messages, and maximum number of messages shown. */
const MESSAGE_QUERY_MIN = 2;
const MESSAGES_MAX = 5;

/** The active option, which Enter chooses: a row, and an option in it. */
export interface Highlight {
  readonly line: number;
  readonly option: number;
}

const START: Highlight = { line: 0, option: 0 };

/** The highlight after an arrow key; undefined if the key belongs to the text field. */
const findNextHighlight = (
  { key, currentTarget }: KeyboardEvent<HTMLInputElement>,
  { line, option }: Highlight,
  widths: readonly number[],
): Highlight | undefined => {
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
  const step = steps[key];
  if (step !== undefined && widths.length > 0) {
    return { line: (line + step + widths.length) % widths.length, option: 0 };
  }
  const isAtEnd = currentTarget.selectionEnd === currentTarget.value.length;
  if (key === 'ArrowRight' && isAtEnd && option + 1 < (widths[line] ?? 0)) {
    return { line, option: option + 1 };
  }
  return key === 'ArrowLeft' && option > 0 ? { line, option: option - 1 } : undefined;
};

/** The query, its results, and the active option. */
export const usePalette = (
  unread: UnreadByRoom,
  pages: readonly Page[],
  pin: string | undefined,
  onChoose: (choice: Choice) => void,
) => {
  const teams = useTeams() ?? NONE;
  const visited = useVisited() ?? NONE;
  const here = usePathname();
  const canSignOut = useLogout().isPossible;
  const [query, setQuery] = useState('');
  const { isCounted } = usePageFrame();
  // New messages must not move the results under the highlight.
  const [steady, setSteady] = useState({ unread, isCounted });
  if (isCounted && !steady.isCounted) setSteady({ unread, isCounted });
  const [wanted, setWanted] = useState(START);
  const isLong = query.trim().length >= MESSAGE_QUERY_MIN;
  // Opened with the palette, so that the messages are in memory when they are requested.
  const search = useMessageSearch(query, isLong ? MESSAGES_MAX : 0);
  const messages = isLong ? search.hits : NONE;
  const groups = useMemo(
    () =>
      composeGroups(query, {
        pages,
        teams,
        unread: steady.unread,
        messages,
        visited,
        here,
        pin,
        canSignOut,
      }),
    [query, pages, teams, steady.unread, messages, visited, here, pin, canSignOut],
  );
  const entries = groups.flatMap((group) => group.entries);
  const lines = entries.map(listOptions);
  const line = Math.min(wanted.line, lines.length - 1);
  const option = Math.min(wanted.option, (lines[line]?.length ?? 1) - 1);
  const chosen = lines[line]?.[option];
  // Until its messages are found, a query shows those of the previous one.
  const isPending = isLong && search.state === 'pending';
  const isMessage = entries[line]?.kind === 'message';
  const waits = isPending && (isMessage || chosen === undefined);
  const isEntered = useRef(false);
  const enter = useEffectEvent((): void => {
    if (isEntered.current && isMessage && chosen !== undefined) onChoose(chosen.choice);
    isEntered.current = false;
  });
  useEffect(() => {
    if (!isPending) enter();
  }, [isPending]);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (isComposing(event.nativeEvent)) return;
    const widths = lines.map(({ length }) => length);
    const next = findNextHighlight(event, { line, option }, widths);
    const isEnter = event.key === 'Enter';
    isEntered.current = isEnter && waits;
    if (next !== undefined) setWanted(next);
    if (isEnter && !waits && chosen !== undefined) onChoose(chosen.choice);
    if (next !== undefined || isEnter) event.preventDefault();
  };
  const type = (text: string): void => {
    setQuery(text);
    setSteady({ unread, isCounted });
    setWanted(START);
  };
  /** Undefined without results. */
  const active: Highlight | undefined = lines.length === 0 ? undefined : { line, option };
  const isFailed = isLong && search.state === 'failed';
  /** Not all messages are in memory yet. */
  const isReading = isLong && !isFailed && search.coverage?.isWhole !== true;
  return { query, groups, active, isFailed, isReading, type, onKeyDown };
};

export type PaletteView = ReturnType<typeof usePalette>;
