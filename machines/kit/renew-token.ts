import type { Ports } from '#domain/ports/ports.ts';

import { reportThrown } from './answer.ts';

/**
 * Action: the engine gets a new token. A throw is logged, because in an action it would end the
 * machine and the machines that started it.
 */
export const renewToken =
  ({ realtime, clientLog }: Pick<Ports, 'realtime' | 'clientLog'>) =>
  (): void => {
    try {
      realtime.renewToken();
    } catch (error) {
      reportThrown(clientLog, 'renewToken', error);
    }
  };
