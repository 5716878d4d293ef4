import { Route, Routes } from 'react-router';

import { ROUTES } from '#domain/routes.ts';
import { ChatPage } from '#src/chat/chat-page.tsx';
import { lazyComponent } from '#src/ui/lazy-component.tsx';
import { Shell } from '#src/shell/frame/shell.tsx';

import { DeskGate } from './desk-gate.tsx';

const HomePage = lazyComponent(() => import('#src/sections/home-page.tsx'));
const SectionPage = lazyComponent(() => import('#src/sections/section-page.tsx'));
const SettingsRoute = lazyComponent(() => import('./settings-route.tsx'));
const NotFoundPage = lazyComponent(() => import('#src/sections/not-found-page.tsx'));

/** The signed-in half of the page, loaded on its own. */
const DeskPages = () => (
  <DeskGate>
    <Routes>
      <Route element={<Shell />}>
        <Route path={ROUTES.home} element={<HomePage />} />
        <Route path={ROUTES.dashboard} element={<SectionPage name="dashboard" />} />
        <Route path={ROUTES.videos} element={<SectionPage name="videos" />} />
        <Route path={`${ROUTES.chat}/:clientId?/:roomId?`} element={<ChatPage />} />
        <Route path={ROUTES.deliveries} element={<SectionPage name="deliveries" />} />
        <Route path={ROUTES.settings} element={<SettingsRoute />} />
        <Route path={ROUTES.spendings} element={<SectionPage name="spendings" />} />
        <Route path={ROUTES.referral} element={<SectionPage name="referral" />} />
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  </DeskGate>
);

export default DeskPages;
