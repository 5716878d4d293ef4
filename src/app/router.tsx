import { findPage } from '#domain/routes.ts';
import { RequireSession } from '#src/auth/require-session.tsx';
import { usePathname } from '#src/ui/address.tsx';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';

const AuthPages = lazyComponent(() => import('./auth-pages.tsx'));
const DeskPages = lazyComponent(() => import('./desk-pages.tsx'));

/** All addresses of spec §2. The signed-out and the signed-in pages load separately. */
export const Router = () => {
  const page = findPage(usePathname());
  if (page === 'login' || page === 'register') return <AuthPages page={page} />;
  return (
    <RequireSession>
      <DeskPages page={page} />
    </RequireSession>
  );
};
