import type { Ports } from '#domain/ports/ports.ts';

import { type Credentials, loginMachine, type LoginSignal } from './login.machine.ts';
import { REQUEST_LIMIT_MS } from '../kit/limits.ts';
import { fromTask } from '../kit/task.ts';

/**
 * The login machine with its real actors. Success is announced to the other tabs; this
 * tab's session has to be told `session.changed` by whoever runs the machine.
 */
export const provideLogin = ({
  sessionApi,
  device,
  clientLog,
}: Pick<Ports, 'sessionApi' | 'device' | 'clientLog'>) =>
  loginMachine.provide({
    actors: {
      signIn: fromTask(
        { clientLog },
        {
          name: 'signIn',
          limitMs: REQUEST_LIMIT_MS,
          toFailure: (error): LoginSignal => ({ type: 'login.refused', error }),
        },
        async (credentials: Credentials, cancel): Promise<LoginSignal> => {
          const { email, password, callbackUrl } = credentials;
          const answer = await sessionApi.signIn({ email, password, callbackUrl }, cancel);
          if (!answer.ok) return { type: 'login.refused', error: answer.error };
          // The server ended whatever session this browser had before.
          await device.settleSignOut();
          sessionApi.announceChange();
          return { type: 'login.accepted', url: answer.value };
        },
      ),
    },
  });
