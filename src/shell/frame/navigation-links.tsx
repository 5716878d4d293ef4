import { ROUTES } from '#domain/routes.ts';
import { NavigationLink } from '#src/ui/address.tsx';
import { deferredComponent } from '#src/ui/deferred-component.tsx';

import { NAVIGATION_ITEMS } from '../pages/navigation-items.ts';
import classes from './main-navigation.module.css';

/** Without its chunk the browser's tab shows the number alone. */
export const TotalBadge = deferredComponent(() => import('../unread/total-badge.tsx'));

/** The five links; the active one carries `aria-current="page"`. */
export const NavigationLinks = ({ onNavigate }: { readonly onNavigate?: () => void }) => (
  <ul className={classes['links']}>
    {NAVIGATION_ITEMS.map(({ to, label, icon: Icon }) => (
      <li key={to}>
        <NavigationLink
          to={to}
          exact={to === ROUTES.home}
          className={classes['link']}
          aria-describedby={to === ROUTES.chat ? 'unread' : undefined}
          onClick={onNavigate}
        >
          <Icon className={classes['icon']} size={24} stroke={1.6} aria-hidden />
          <span className={classes['label']}>{label}</span>
          <span className={classes['caption']} aria-hidden>
            {label}
          </span>
          {to === ROUTES.chat && <TotalBadge />}
        </NavigationLink>
      </li>
    ))}
  </ul>
);
