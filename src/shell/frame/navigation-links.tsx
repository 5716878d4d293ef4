import { ROUTES } from '#domain/routes.ts';
import { NavigationLink } from '#src/ui/address.tsx';

import { NAVIGATION_ITEMS } from '../pages/navigation-items.ts';
import classes from './main-navigation.module.css';

/** The five links; the active one carries `aria-current="page"`. */
export const NavigationLinks = ({ onNavigate }: { readonly onNavigate?: () => void }) => (
  <ul className={classes['links']}>
    {NAVIGATION_ITEMS.map(({ to, label, icon: Icon }) => (
      <li key={to}>
        <NavigationLink
          to={to}
          exact={to === ROUTES.home}
          className={classes['link']}
          onClick={() => onNavigate?.()}
        >
          <Icon className={classes['icon']} size={24} stroke={1.6} aria-hidden />
          <span className={classes['label']}>{label}</span>
          <span className={classes['caption']} aria-hidden>
            {label}
          </span>
        </NavigationLink>
      </li>
    ))}
  </ul>
);
