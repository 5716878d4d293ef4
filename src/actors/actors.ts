import { useEffect, useState } from 'react';
import { shallowEqual, useSelector } from '@xstate/react';

import { useStore } from '#db/hooks/store-context.ts';
import type { AppError } from '#domain/errors.ts';
import type { PublicConfig } from '#domain/schemas/config.ts';
import type { User } from '#domain/schemas/session.ts';
import { selectLogout } from '#machines/sign-out/logout.machine.ts';
import { selectSession } from '#machines/session/session.machine.ts';

import { watchConfig } from '#src/boot/watch-config.ts';
import { hasDrafts } from '#src/drafts/drafts.ts';
import { useRuntime } from './runtime-context.ts';

/**
 * Gives all pages access to machine states; desk.ts does so for the signed-in pages, login.ts and
 * use-update.ts for parts that load separately.
 */

export interface SessionView {
  readonly status: 'loading' | 'authenticated' | 'unauthenticated';
  readonly user: User | undefined;
  /** False while the server is unreachable and the stored session keeps the user signed in. */
  readonly verified: boolean;
  /** The user signed out explicitly, in this tab or another. */
  readonly left: boolean;
}

export interface LogoutView {
  /** `asking` what to do with unsent messages; `sending` them first. */
  readonly state: 'idle' | 'checking' | 'asking' | 'sending' | 'leaving' | 'failed';
  /** There is an unsent draft. */
  readonly drafts: boolean;
  /** Unsent messages can be encrypted, so that they may stay on this device. */
  readonly keepable: boolean;
  readonly error: AppError | undefined;
  /** The store is open, so the unsent messages are known. */
  readonly isPossible: boolean;
  submit(): void;
  answer(choice: 'send' | 'keep' | 'discard'): void;
  cancel(): void;
}

const LOADING = { status: 'loading', user: undefined, verified: false, left: false } as const;

export const useSession = (): SessionView =>
  useSelector(
    useSelector(useRuntime().app, ({ children }) => children.session),
    (snapshot) => (snapshot === undefined ? LOADING : selectSession(snapshot)),
    shallowEqual,
  );

const LOGOUT_IDLE = { state: 'idle', drafts: false, keepable: false, error: undefined } as const;

export const useLogout = (): LogoutView => {
  const logout = useSelector(useRuntime().app, ({ children }) => children.logout);
  const store = useStore();
  const uid = useSession().user?.uid;
  const view = useSelector(
    logout,
    (snapshot) => (snapshot === undefined ? LOGOUT_IDLE : selectLogout(snapshot)),
    shallowEqual,
  );
  return {
    ...view,
    isPossible: store !== undefined,
    submit: () => {
      if (uid === undefined || store === undefined) return;
      logout?.send({ type: 'logout.requested', uid, store, drafts: hasDrafts() });
    },
    answer: (choice) => logout?.send({ type: `${choice}.chosen` }),
    cancel: () => logout?.send({ type: 'logout.cancelled' }),
  };
};

/** The server's public settings; undefined until they have loaded. */
export const usePublicConfig = (): PublicConfig | undefined => {
  const { ports } = useRuntime();
  const [config, setConfig] = useState<PublicConfig | undefined>();
  useEffect(() => watchConfig(ports, setConfig), [ports]);
  return config;
};
