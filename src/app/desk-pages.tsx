import type { ReactNode } from 'react';

import { type PageName, ROUTES } from '#domain/routes.ts';
import { ChatPage } from '#src/chat/chat-page.tsx';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';
import { Shell } from '#src/shell/frame/shell.tsx';

import { DeskGate } from './desk-gate.tsx';

const loadHome = () => import('#src/home/home-page.tsx');
// Loads while the store opens; `lazyComponent` reports a failure.
if (location.pathname === ROUTES.home) loadHome().catch(() => undefined);
const HomePage = lazyComponent(loadHome);
const DashboardPage = lazyComponent(() => import('#src/sections/dashboard/dashboard-page.tsx'));
const SectionPage = lazyComponent(() => import('#src/sections/section-page.tsx'));
const SettingsRoute = lazyComponent(() => import('./settings-route.tsx'));
const SearchPage = lazyComponent(() => import('#src/sections/search-page.tsx'));
const NotFoundPage = lazyComponent(() => import('#src/sections/not-found-page.tsx'));

type DeskPage = Exclude<PageName, 'login' | 'register'>;

const toPage = (page: DeskPage): ReactNode => {
  switch (page) {
    case 'home':
      return <HomePage />;
    case 'dashboard':
      return <DashboardPage />;
    case 'chat':
      return <ChatPage />;
    case 'settings':
      return <SettingsRoute />;
    case 'search':
      return <SearchPage />;
    case 'unknown':
      return <NotFoundPage />;
    case 'videos':
    case 'deliveries':
    case 'spendings':
    case 'referral':
      return <SectionPage name={page} />;
    default:
      return page satisfies never;
  }
};

/** The signed-in half of the page, loaded on its own. */
const DeskPages = ({ page }: { readonly page: DeskPage }) => (
  <DeskGate>
    <Shell>{toPage(page)}</Shell>
  </DeskGate>
);

export default DeskPages;
