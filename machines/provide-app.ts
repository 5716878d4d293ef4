import type { Ports, Store } from '#domain/ports.ts';
import { type EventObject, fromCallback } from 'xstate';

import { appMachine } from './app.machine.ts';
import { deskMachine, type DeskSignal } from './desk.machine.ts';
import { logoutMachine, type LogoutSignal } from './logout.machine.ts';
import { provideLeader } from './provide-leader.ts';
import { provideSession } from './provide-session.ts';
import { provideTeams } from './provide-teams.ts';
import { signOut } from './sign-out.ts';
import { fromTask, type Task } from './task.ts';

/** Opens the user's store and closes it when stopped, also when it opens too late. */
const holdStore = ({ openStore }: Pick<Ports, 'openStore'>): Task<{ readonly uid: string }> =>
  fromCallback<EventObject, { readonly uid: string }>(({ input, sendBack }) => {
    let stopped = false;
    let store: Store | undefined;
    const open = async () => {
      const opened = await openStore(input.uid);
      if (!opened.ok) {
        sendBack({ type: 'store.failed', error: opened.error } satisfies DeskSignal);
        return;
      }
      if (stopped) {
        opened.value.close();
        return;
      }
      store = opened.value;
      sendBack({ type: 'store.opened', store } satisfies DeskSignal);
    };
    void open();
    return () => {
      stopped = true;
      store?.close();
    };
  });

/** The desk of one user with its real actors. */
export const provideDesk = (ports: Ports) =>
  deskMachine.provide({
    actors: {
      holdStore: holdStore(ports),
      teams: provideTeams(ports),
      leader: provideLeader(ports),
    },
  });

const provideLogout = (ports: Ports) =>
  logoutMachine.provide({
    actors: {
      signOut: fromTask(async (_input: undefined, cancel): Promise<LogoutSignal> => {
        const left = await signOut(ports, cancel);
        return left.ok ? { type: 'logout.done' } : { type: 'logout.failed', error: left.error };
      }),
    },
  });

/** The whole page with its real actors. */
export const provideApp = (ports: Ports) =>
  appMachine.provide({
    actors: {
      session: provideSession(ports),
      logout: provideLogout(ports),
      desk: provideDesk(ports),
    },
  });
