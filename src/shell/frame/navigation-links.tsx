import { ROUTES } from '#domain/routes.ts';
import { NavigationLink } from '#src/ui/address.tsx';
import { deferredComponent } from '#src/ui/deferred/deferred-component.tsx';

import { NAVIGATION_ITEMS } from '../pages/navigation-items.ts';
import classes from './main-navigation.module.css';

/** Without its chunk the browser's tab and Home show the numbers alone. */
export const NavigationBadge = deferredComponent(() => import('../unread/navigation-badge.tsx'));

/** The ids of the texts that describe links with a number. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  [ROUTES.home]: 'reminders',
  [ROUTES.chat]: 'unread',
};

/** The five links; the active one carries `aria-current="page"`. */
export const NavigationLinks = ({ onNavigate }: { readonly onNavigate?: () => void }) => (
  <ul className={classes['links']}>
    {NAVIGATION_ITEMS.map(({ to, label, icon: Icon }) => (
      <li key={to}>
        <NavigationLink
          to={to}
          exact={to === ROUTES.home}
          className={classes['link']}
          aria-describedby={DESCRIPTIONS[to]}
          onClick={onNavigate}
        >
          <Icon className={classes['icon']} size={24} stroke={1.6} aria-hidden />
          <span className={classes['label']}>{label}</span>
          <span className={classes['caption']} aria-hidden>
            {label}
          </span>
          <NavigationBadge to={to} />
        </NavigationLink>
      </li>
    ))}
  </ul>
);
