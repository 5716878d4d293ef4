import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

import { toClientPath } from '#domain/routes.ts';
import type { Team } from '#domain/schemas/team.ts';
import { afterPaint } from '#src/ui/deferred/content-shown.ts';

/** Above the first row and below the last one, CSS pixels. */
const SPACE_PX = 8;

interface Shown {
  /** The search, filter and order of the list. */
  readonly view: string;
  readonly openId: string | undefined;
}

/** The list as it was, with the index of the open client; -1 if it is not among them. */
interface Place extends Shown {
  readonly at: number;
}

const readRowPx = (list: HTMLElement): number => list.querySelector('li')?.offsetHeight ?? 0;

/** Whether any part of a row at an index is visible. */
const isVisible = (list: HTMLElement, at: number): boolean => {
  const rowPx = readRowPx(list);
  const top = at * rowPx - list.scrollTop;
  return top > -rowPx && top < list.clientHeight;
};

/** Scrolls as little as necessary to a client that is not visible. */
const showClient = (list: HTMLElement, at: number): void => {
  const rowPx = readRowPx(list);
  const top = at * rowPx;
  const lowest = top + rowPx + SPACE_PX - list.clientHeight;
  list.scrollTo({ top: Math.max(Math.min(list.scrollTop, top), lowest) });
};

/** The row of the client has the pointer or the focus, so it was probably opened there. */
const isUsed = (list: HTMLElement, clientId: string): boolean =>
  [...list.querySelectorAll('a:is(:hover, :focus)')].some((link) =>
    `${link.getAttribute('href')}/`.startsWith(`${toClientPath(clientId)}/`),
  );

/** The open client moved out of the visible part, and the user is not busy with the list. */
const hasLeft = (list: HTMLElement, before: number, at: number): boolean =>
  before !== -1 &&
  isVisible(list, before) &&
  !isVisible(list, at) &&
  !list.matches(':hover, :focus-within');

/**
 * A list with another search, filter or order starts at its top. A client who is opened elsewhere,
 * for example in the palette, becomes visible; a click in the list does not move it. The focus
 * alone would not show a click: a room that opens takes it. An open client who moves, for example
 * to the top after an answer, stays visible.
 */
export const useListScroll = (
  scroller: RefObject<HTMLElement | null>,
  teams: readonly Team[] | undefined,
  { view, openId }: Shown,
): void => {
  const last = useRef<Place | undefined>(undefined);
  const [isReady, setReady] = useState(false);
  // At its second render, after the first paint, the virtual list resets the position.
  useEffect(() => afterPaint(() => setReady(true)), []);
  useLayoutEffect(() => {
    const list = scroller.current;
    if (!isReady || teams === undefined || list === null) return;
    const before = last.current;
    const at = teams.findIndex(({ client_id }) => client_id === openId);
    // Reading the height forces a layout, which every message would cost.
    if (before?.view === view && before.openId === openId && before.at === at) return;
    // A hidden list keeps its position.
    if (list.clientHeight === 0) return;
    last.current = { view, openId, at };
    const isSameView = before === undefined || before.view === view;
    if (!isSameView) list.scrollTo({ top: 0 });
    if (at === -1 || openId === undefined) return;
    const isSame = before?.openId === openId;
    const isLost = isSame ? isSameView && hasLeft(list, before.at, at) : !isUsed(list, openId);
    if (isLost) showClient(list, at);
  }, [scroller, teams, view, openId, isReady]);
};
