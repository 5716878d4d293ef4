import type { PageEnvironment } from '#domain/ports/browser.ts';

import { fromSubscription } from './from-subscription.ts';

/** Network and visibility, as the browser reports them. */
export type EnvironmentSignal =
  | { readonly type: 'network.returned' }
  | { readonly type: 'network.lost' }
  | { readonly type: 'page.shown' }
  | { readonly type: 'page.hidden' };

const SIGNALS = {
  online: { type: 'network.returned' },
  offline: { type: 'network.lost' },
  shown: { type: 'page.shown' },
  hidden: { type: 'page.hidden' },
} as const satisfies Record<string, EnvironmentSignal>;

/** Reports every change while it runs. */
export const watchEnvironment = (environment: PageEnvironment) =>
  fromSubscription<EnvironmentSignal>((send) =>
    environment.watch((change) => send(SIGNALS[change])),
  );
