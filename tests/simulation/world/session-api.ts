import type { SessionApi } from '#domain/ports/network.ts';
import { ok } from '#domain/result.ts';

import type { SimDevice } from './device.ts';
import type { NetworkClient } from './network.ts';

/** Receives the announcements of other tabs. */
export interface Announcer {
  listen: () => void;
}

export interface SessionApiNeeds {
  readonly client: NetworkClient;
  readonly device: SimDevice;
  readonly announcer: Announcer;
}

/**
 * The session endpoints as one tab reaches them. A request carries the browser's cookie at its
 * start; a new cookie applies once its response has arrived.
 */
export const createSimSessionApi = ({ client, device, announcer }: SessionApiNeeds): SessionApi => {
  const { network, server, scheduler } = device.world;
  return {
    getSession: (cancel) => {
      const { cookie } = device;
      return network.send(client, () => ok(server.getSession(cookie)), cancel);
    },
    signIn: async ({ email, callbackUrl }, cancel) => {
      const answer = await network.send(client, () => ok(server.signIn(email)), cancel);
      if (!answer.ok) return answer;
      device.keepSession(answer.value);
      return ok(callbackUrl);
    },
    signOut: async (cancel) => {
      const { cookie } = device;
      const answer = await network.send(client, () => ok(server.signOut(cookie)), cancel);
      if (answer.ok && device.cookie === cookie) device.cookie = undefined;
      return answer;
    },
    getKeys: (uid, cancel) => {
      const { cookie } = device;
      return network.send(client, () => server.getKeys(cookie, uid), cancel);
    },
    announceChange: () => {
      for (const tab of device.tabs) {
        if (tab.lane !== client.lane) scheduler.soon(tab.lane, () => tab.announcer.listen());
      }
    },
    onChange: (listener) => {
      announcer.listen = listener;
      return () => {
        announcer.listen = () => undefined;
      };
    },
  };
};
