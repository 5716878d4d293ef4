import { type RenderResult, render, renderHook } from '@testing-library/react';
import { onTestFinished } from 'vitest';

import { openUserStore, type UserStore } from '#db/user/user-store.ts';
import type { OpenSessionsApi } from '#domain/ports/network.ts';
import { ok } from '#domain/result.ts';
import type { Session } from '#domain/schemas/session.ts';
import type { Team } from '#domain/schemas/team.ts';
import { App } from '#src/app/app.tsx';
import { clearDrafts } from '#src/drafts/drafts.ts';
import { createPageRuntime, type PageRuntime } from '#src/boot/page-runtime.ts';
import { RuntimeContext } from '#src/actors/runtime-context.ts';
import { closeToast, useToasts } from '#src/ui/toasts/toast-store.ts';

import { createDevice } from '../device.ts';
import { MemoryWorld, type MemoryPageEnvironment } from '../memory-ports/memory-ports.ts';
import { NO_UPDATES } from '../memory-ports/no-updates.ts';

const MAYA: Team = {
  client_id: 'c_001',
  client: { first_name: 'Maya', last_name: 'Okafor' },
};
const SOREN: Team = {
  client_id: 'c_002',
  client: { first_name: 'Søren', last_name: 'Kjærgaard' },
};

const NO_SESSIONS: OpenSessionsApi = {
  list: async () => ok({ available: false, sessions: [] }),
  end: async () => ok(undefined),
  endOthers: async () => ok(undefined),
};

export interface DeskPage {
  readonly world: MemoryWorld;
  readonly environment: MemoryPageEnvironment;
  /** The store of the page. */
  mustGetStore(): UserStore;
  /** The actors behind the page. */
  mustGetRuntime(): PageRuntime;
  /** Shows the page at a path. */
  open(path: string): RenderResult;
  /** Signs in or out in another tab of the browser. */
  signElsewhere(direction: 'in' | 'out'): void;
}

const closeToasts = (): void => {
  const { result, unmount } = renderHook(useToasts);
  unmount();
  for (const { id } of result.current) closeToast(id);
};

/**
 * The whole page on its real machines and its real store, with an engine and a server in memory.
 * `signedIn` starts with a session; the settings arrive once `settingsHeld` resolves; new versions
 * of the page come from `updates`; `random` chooses the delays of retries.
 */
export const createDeskPage = ({
  signedIn = true,
  demo = false,
  settingsHeld = Promise.resolve(),
  storeHeld = Promise.resolve(),
  updates = NO_UPDATES,
  openSessionsApi = async () => NO_SESSIONS,
  random = { next: (): number => 0.5 },
} = {}): DeskPage => {
  const world = new MemoryWorld('u_me');
  const session: Session = {
    user: { uid: 'u_me', name: 'Jonas Weidner', email: 'jonas@example.com', role: 'producer' },
    expires: new Date(Date.now() + 86_400_000).toISOString(),
  };
  if (signedIn) world.server.session = session;
  world.server.teams = [MAYA, SOREN];
  world.server.producers = [{ uid: 'u_other', name: 'Leila Haddad' }];
  const device = createDevice();
  let store: UserStore | undefined;
  let runtime: PageRuntime | undefined;
  const ports = {
    ...world.openTab(),
    updates,
    random,
    clock: { now: () => Date.now() },
    openSessionsApi,
    openTabs: { list: () => Promise.resolve(new Set<string>()) },
    openStore: async (uid: string) => {
      await storeHeld;
      const opened = await openUserStore(uid, device.options);
      if (opened.ok) store = opened.value;
      return opened;
    },
    engineUser: {},
    publicConfig: {
      get: async () => {
        await settingsHeld;
        return ok({
          version: '0',
          demo,
          engine: 'embedded' as const,
          channelTemplate: 'chat.{cid}.{rid}',
        });
      },
    },
  };
  return {
    world,
    environment: ports.environment,
    mustGetStore: () => {
      if (store === undefined) throw new Error('No store is open');
      return store;
    },
    mustGetRuntime: () => {
      if (runtime === undefined) throw new Error('The page is not open');
      return runtime;
    },
    open: (path) => {
      window.history.replaceState(null, '', path);
      const opened = createPageRuntime(ports);
      runtime = opened;
      // Otherwise the page would continue to run beside the next tests.
      onTestFinished(() => {
        opened.app.stop();
        clearDrafts();
        closeToasts();
      });
      return render(
        <RuntimeContext value={runtime}>
          <App />
        </RuntimeContext>,
      );
    },
    signElsewhere: (direction) => {
      world.server.session = direction === 'in' ? session : undefined;
      for (const notify of world.server.tabs) notify();
    },
  };
};
