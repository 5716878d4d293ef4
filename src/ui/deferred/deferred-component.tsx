import type { ComponentType } from 'react';

import { contentShown } from './content-shown.ts';
import { lazyComponent } from './lazy-component.tsx';

/** A component that loads after the content of the page; `Placeholder` is shown until then. */
export const deferredComponent = <P extends object>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
  Placeholder: ComponentType<P> | null = null,
): ComponentType<P> => lazyComponent(() => contentShown().then(load), Placeholder);
