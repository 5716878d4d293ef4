import { useEffect } from 'react';

const DASHBOARD_TITLE = 'Replay Desk Staff Dashboard';
const PAGE_SUFFIX = 'Replay Desk Staff';

/** Names the page in the browser's tab; without a page it is the dashboard's own title. */
export const usePageTitle = (page: string | undefined): void => {
  useEffect(() => {
    document.title = page === undefined ? DASHBOARD_TITLE : `${page} – ${PAGE_SUFFIX}`;
  }, [page]);
};
