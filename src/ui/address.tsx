import { type ComponentProps, type MouseEvent, useLayoutEffect } from 'react';
import {
  usePathname as useWrittenPath,
  useSearch as useWrittenSearch,
} from 'wouter/use-browser-location';

import { type ChatIds, findChatIds } from '#domain/routes.ts';

/**
 * The address of the page; pages are found regardless of case. The screens change at once with it,
 * so that text typed right after a change goes to the new room.
 */
export const usePathname = (): string =>
  useWrittenPath().replace(/^\/[^/]+/, (page) => page.toLowerCase());

/**
 * The query of the address, with its question mark; empty while React adopts the HTML of the build.
 */
export const useSearch = (): string => useWrittenSearch({ ssrSearch: '' });

/** The ids in a chat address, as written there; undefined on other pages. */
export const useChatIds = (): ChatIds | undefined => findChatIds(usePathname());

/** Opens an address of this page; `replace` takes the place of the current one in the history. */
export const navigate = (to: string, replace = false): void => {
  const { history, location } = window;
  const isOpen = new URL(to, location.href).href === location.href;
  const method = replace || isOpen ? 'replaceState' : 'pushState';
  // Browsers also replace the entry in this case. It keeps its state, with the scroll position.
  history[method](isOpen ? history.state : null, '', to);
};

/** A click that opens the link here, not in another tab or window. */
export const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.altKey && !event.ctrlKey && !event.shiftKey;

/** The click handler of links to an address of this page. */
export const openLink = (event: MouseEvent<HTMLAnchorElement>, replace = false): void => {
  if (event.defaultPrevented || !isPlain(event)) return;
  event.preventDefault();
  navigate(event.currentTarget.href, replace);
};

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  readonly to: string;
  readonly replace?: boolean;
}

export const Link = ({ to, replace, onClick, children, ...rest }: LinkProps) => (
  <a
    {...rest}
    href={to}
    onClick={(event) => {
      onClick?.(event);
      openLink(event, replace);
    }}
  >
    {children}
  </a>
);

/** Carries `aria-current="page"` at its address and at those below it; with `exact`, there only. */
export const NavigationLink = ({
  exact = false,
  ...link
}: LinkProps & { readonly exact?: boolean }) => {
  const path = `${usePathname()}/`;
  const isCurrent = exact ? path === `${link.to}/` : path.startsWith(`${link.to}/`);
  return <Link {...link} aria-current={isCurrent ? 'page' : undefined} />;
};

/** Takes the place of the current address. */
export const Redirect = ({ to }: { readonly to: string }) => {
  useLayoutEffect(() => navigate(to, true), [to]);
  return null;
};
