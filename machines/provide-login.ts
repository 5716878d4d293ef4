import type { Ports } from '#domain/ports.ts';

import { type Credentials, loginMachine, type LoginSignal } from './login.machine.ts';
import { fromTask } from './task.ts';

/**
 * The login machine with its real actors. Success is announced to the other tabs; this
 * tab's session has to be told `session.changed` by whoever runs the machine.
 */
export const provideLogin = ({ sessionApi, device }: Pick<Ports, 'sessionApi' | 'device'>) =>
  loginMachine.provide({
    actors: {
      signIn: fromTask(async (credentials: Credentials, cancel): Promise<LoginSignal> => {
        const { email, password, callbackUrl } = credentials;
        const answer = await sessionApi.signIn({ email, password, callbackUrl }, cancel);
        if (!answer.ok) return { type: 'login.refused', error: answer.error };
        // The server ended whatever session this browser had before.
        await device.settleSignOut();
        sessionApi.announceChange();
        return { type: 'login.accepted', url: answer.value };
      }),
    },
  });
