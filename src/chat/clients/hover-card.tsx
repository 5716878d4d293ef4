import { type RefObject, useEffect, useLayoutEffect, useReducer, useState } from 'react';
import { createPortal } from 'react-dom';

import { isComposing, isDialogOpen } from '#src/ui/key-names.ts';

import classes from './hover-card.module.css';

/** Distance from the entry, CSS pixels. */
const GAP_PX = 8;

const findEntry = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-hover-label]') : null;

/** On a touch screen, the element tapped last stays `:hover`. */
const findPointedAt = (list: HTMLElement | null): HTMLElement | null => {
  const state = matchMedia('(hover: hover)').matches
    ? ':is(:hover, :focus-visible)'
    : ':focus-visible';
  return list?.querySelector<HTMLElement>(`[data-hover-label]${state}`) ?? null;
};

/**
 * The entry of a list that has the pointer or the focus; null without one, while the list scrolls,
 * and after Escape.
 */
const usePointedAt = (scroller: RefObject<HTMLElement | null>): HTMLElement | null => {
  // The pointer may have arrived before this part of the page did.
  const [entry, setEntry] = useState(() => findPointedAt(scroller.current));
  useEffect(() => {
    const list = scroller.current;
    if (list === null) return undefined;
    const listening = new AbortController();
    const hide = (): void => setEntry(null);
    list.addEventListener(
      'pointerover',
      ({ pointerType, target, relatedTarget }) => {
        const next = pointerType === 'mouse' ? findEntry(target) : null;
        // A move within an entry does not show again what Escape hid.
        if (next === null || next !== findEntry(relatedTarget)) setEntry(next);
      },
      listening,
    );
    list.addEventListener(
      'focusin',
      (event) => {
        const isByKey = event.target instanceof Element && event.target.matches(':focus-visible');
        setEntry(isByKey ? findEntry(event.target) : null);
      },
      listening,
    );
    for (const name of ['pointerleave', 'focusout', 'scroll']) {
      list.addEventListener(name, hide, listening);
    }
    return () => listening.abort();
  }, [scroller]);
  useLayoutEffect(() => {
    if (entry === null) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || isComposing(event) || isDialogOpen()) return;
      // The key closes the menu.
      if (document.querySelector('[role=menu]') !== null) return;
      // It must not scroll the thread, too.
      event.stopPropagation();
      setEntry(null);
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [entry]);
  return entry;
};

/** What moves the entry, and what the card shows of it. */
const WATCHED = [
  'style',
  'data-hover-label',
  'data-hover-lead',
  'data-hover-text',
  'data-hover-note',
];

/** Renders again when rows of the list move, come, go or change: the entry may be one of them. */
const useRowChanges = (scroller: RefObject<HTMLElement | null>, hasEntry: boolean): void => {
  const [, follow] = useReducer((moves: number) => moves + 1, 0);
  useEffect(() => {
    if (!hasEntry) return undefined;
    const moves = new MutationObserver(follow);
    const options = { subtree: true, childList: true, attributeFilter: WATCHED };
    if (scroller.current !== null) moves.observe(scroller.current, options);
    return () => moves.disconnect();
  }, [scroller, hasEntry]);
};

/**
 * Shows on hover and focus what the entries of a collapsed list omit: name, last message, time. One
 * card for the whole list instead of a tooltip per entry. It repeats the accessible name and the
 * texts of the expanded list, so it is hidden from assistive technology.
 */
const HoverCard = ({ scroller }: { readonly scroller: RefObject<HTMLElement | null> }) => {
  const entry = usePointedAt(scroller);
  useRowChanges(scroller, entry !== null);
  if (entry?.isConnected !== true) return null;
  const { hoverLabel, hoverLead, hoverText, hoverNote } = entry.dataset;
  const { top, height, right } = entry.getBoundingClientRect();
  const place = { top: top + height / 2, left: right + GAP_PX };
  const list = scroller.current?.getBoundingClientRect();
  if (list === undefined || place.top < list.top || place.top > list.bottom) return null;
  return createPortal(
    <span aria-hidden className={classes['label']} style={place}>
      <span className={classes['name']} dir="auto">
        {hoverLabel}
      </span>
      {hoverText && (
        <span className={classes['text']} dir="auto">
          {hoverLead && <bdi>{hoverLead}: </bdi>}
          {hoverText}
        </span>
      )}
      {hoverNote && <span className={classes['text']}>{hoverNote}</span>}
    </span>,
    document.body,
  );
};

export default HoverCard;
