import { useEffect } from 'react';

import { toUnreadLabel } from '#domain/rules/unread-label.ts';

const DASHBOARD_TITLE = 'Replay Desk Staff Dashboard';

/** The current parts of the title; the page and its frame each set one. */
const shown = { page: DASHBOARD_TITLE, unread: 0 };

const show = (change: Partial<typeof shown>): void => {
  Object.assign(shown, change);
  const label = toUnreadLabel(shown.unread);
  document.title = label === '' ? shown.page : `(${label}) ${shown.page}`;
};

/** Sets the page's name in the browser's tab; without one it is the dashboard's title. */
export const usePageTitle = (page: string | undefined): void => {
  useEffect(() => {
    show({ page: page === undefined ? DASHBOARD_TITLE : `${page} – ${DASHBOARD_TITLE}` });
  }, [page]);
};

/** Puts the number of unread messages before the page's name while the component is mounted. */
export const useUnreadTitle = (unread: number): void => {
  useEffect(() => {
    show({ unread });
    return () => show({ unread: 0 });
  }, [unread]);
};
