import { useEffect, useState } from 'react';
import { shallowEqual, useSelector } from '@xstate/react';

import { useStore } from '#db/hooks/store-context.ts';
import type { PublicConfig } from '#domain/schemas/config.ts';
import { selectLogout } from '#machines/sign-out/logout.machine.ts';
import { selectSession } from '#machines/session/session.machine.ts';

import { watchConfig } from '#src/boot/watch-config.ts';
import { hasDrafts } from '#src/drafts/drafts.ts';
import { useRuntime } from './runtime-context.ts';

/**
 * Gives all pages access to machine states; desk.ts does so for the signed-in pages, login.ts and
 * use-update.ts for parts that load separately.
 */

const LOADING = { status: 'loading', user: undefined, signedOut: false } as const;

export const useSession = () =>
  useSelector(
    useSelector(useRuntime().app, ({ children }) => children.session),
    (snapshot) => (snapshot === undefined ? LOADING : selectSession(snapshot)),
    shallowEqual,
  );

export const useLogout = () => {
  const logout = useSelector(useRuntime().app, ({ children }) => children.logout);
  const store = useStore();
  const uid = useSession().user?.uid;
  const view = useSelector(logout, (snapshot) => snapshot && selectLogout(snapshot), shallowEqual);
  return {
    ...view,
    /** The store is open, so the unsent messages are known. */
    isPossible: store !== undefined,
    submit: () => {
      if (uid === undefined || store === undefined) return;
      logout?.send({ type: 'logout.requested', uid, store, hasDrafts });
    },
    answer: (choice: 'send' | 'keep' | 'discard') => logout?.send({ type: `${choice}.chosen` }),
    cancel: () => logout?.send({ type: 'logout.cancelled' }),
  };
};

export type LogoutView = ReturnType<typeof useLogout>;

/** The server's public settings; undefined until they have loaded. */
export const usePublicConfig = (): PublicConfig | undefined => {
  const { ports } = useRuntime();
  const [config, setConfig] = useState<PublicConfig | undefined>();
  useEffect(() => watchConfig(ports, setConfig), [ports]);
  return config;
};
