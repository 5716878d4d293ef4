import type { ReactNode } from 'react';
import { IconPlayerTrackNext } from '@tabler/icons-react';

import { ROUTES } from '#domain/routes.ts';
import { Link, useSearch } from '#src/ui/address.tsx';
import { useContentShown } from '#src/ui/deferred/content-shown.ts';

import classes from './auth-layout.module.css';

const OTHER = {
  login: { to: ROUTES.register, label: 'Register' },
  register: { to: ROUTES.login, label: 'Login' },
} as const;

/** Frame of the signed-out pages; the header links to the other one (spec §2). */
export const AuthLayout = ({
  page,
  children,
}: {
  readonly page: keyof typeof OTHER;
  readonly children: ReactNode;
}) => {
  const other = OTHER[page];
  useContentShown(true);
  return (
    <div className={classes['root']}>
      <header className={classes['header']}>
        <span className={classes['brand']}>
          <span className={classes['mark']} aria-hidden>
            <IconPlayerTrackNext size={18} />
          </span>
          Replay Desk
        </span>
        {/* The address names the page to return to after signing in. */}
        <Link to={other.to + useSearch()} className={classes['other']}>
          {other.label}
        </Link>
      </header>
      <main id="main" className={classes['main']}>
        <div className={classes['card']}>{children}</div>
      </main>
    </div>
  );
};
