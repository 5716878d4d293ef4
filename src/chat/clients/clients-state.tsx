import type { TeamsView } from '#src/actors/desk.ts';
import { Delayed, Spinner } from '#src/ui/waiting.tsx';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';

import classes from './clients-state.module.css';

/** Most starts have no failure to show. */
const ClientsError = lazyComponent(() => import('./clients-error.tsx'), null);

/**
 * Above the list: a spinner while nothing is cached, a red icon with the tooltip of spec §8 after
 * a failure. Cached clients remain visible below it.
 */
export const ClientsState = ({
  status,
  known,
  expanded,
}: {
  readonly status: TeamsView;
  readonly known: boolean;
  readonly expanded: boolean;
}) => {
  if (status.state === 'error') {
    return <ClientsError expanded={expanded} />;
  }
  if (known || status.state !== 'loading') return undefined;
  return (
    <div className={classes['loading']} aria-busy>
      <Delayed>
        <Spinner size={22} label="Loading clients" />
      </Delayed>
    </div>
  );
};
