import { renderToString } from 'react-dom/server';
import { createActor } from 'xstate';

import { ROUTES } from '#domain/routes.ts';
import { createAppMachine } from '#machines/app/app.machine.ts';
import { RuntimeContext } from '#src/actors/runtime-context.ts';
import type { PageRuntime } from '#src/boot/page-runtime.ts';

import { App } from './app.tsx';
import AuthPages from './auth-pages.tsx';

Object.assign(globalThis, { location: { pathname: ROUTES.login } });

const ports = {} as PageRuntime['ports'];
const runtime: PageRuntime = {
  ports,
  app: createActor(createAppMachine(ports, () => new Promise(() => undefined))),
  work: {} as PageRuntime['work'],
  signalSession: () => undefined,
};

/**
 * The sign-in page as HTML, rendered in the build: what start-page.tsx shows before anything has
 * arrived. The actors do not run, so the ports are not used.
 */
export const signInPage = renderToString(
  <RuntimeContext value={runtime}>
    <App AuthPages={AuthPages} />
  </RuntimeContext>,
);
