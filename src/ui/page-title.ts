import { useEffect } from 'react';

import { toUnreadLabel } from '#domain/rules/unread.ts';

const DASHBOARD_TITLE = 'Replay Desk Staff Dashboard';

/** What the title says now; the page and the frame around it each know a part. */
const shown = { page: DASHBOARD_TITLE, unread: 0 };

const show = (change: Partial<typeof shown>): void => {
  Object.assign(shown, change);
  const label = toUnreadLabel(shown.unread);
  document.title = label === '' ? shown.page : `(${label}) ${shown.page}`;
};

/** Names the page in the browser's tab; without a page it is the dashboard's own title. */
export const usePageTitle = (page: string | undefined): void => {
  useEffect(() => {
    show({ page: page === undefined ? DASHBOARD_TITLE : `${page} – ${DASHBOARD_TITLE}` });
  }, [page]);
};

/** Puts the number of unread messages before the page's name, while the caller is there. */
export const useUnreadTitle = (unread: number): void => {
  useEffect(() => {
    show({ unread });
    return () => show({ unread: 0 });
  }, [unread]);
};
