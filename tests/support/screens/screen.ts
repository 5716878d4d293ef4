import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

import type { FaultyServer } from '#tests/support/scenes/faulty-server.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { type ShellPage, toShellPage } from '#tests/support/page/shell.ts';

import { type Device, setDevice } from './device.ts';
import { settle } from './settle.ts';

/** The stage for screens: a user with a page, behind a network that can fail. */
export interface Stage {
  readonly backend: FaultyServer;
  readonly user: User;
  readonly room: RoomPage;
  readonly shell: ShellPage;
  readonly device: Device;
}

/** One screen of the product in one state. */
export interface Screen {
  readonly name: string;
  /** A first visit is by a browser without data; it signs in by itself. */
  readonly by: 'anybody' | 'staff' | 'first-visit';
  /** The devices that have it; default: all. */
  readonly only?: readonly Device['kind'][];
  /** Disappears when the window gets the size of a phone: it has to be shown again. */
  readonly anew?: true;
  /** Shows the screen and waits until it is visible. */
  readonly show: (stage: Stage) => Promise<void>;
  /** Stops activity that a working network would continue. */
  readonly stop?: (stage: Stage) => Promise<void>;
  /** Resets state that the next screen would still show. */
  readonly leave?: (stage: Stage) => Promise<void>;
}

/** Log lines of a browser with failing networks and refused requests, which are intended here. */
const ON_PURPOSE = /Failed to load resource|CLIENT_SESSION_ERROR/;

const toStage = (backend: FaultyServer, user: User, device: Device): Stage => ({
  backend,
  user,
  device,
  room: toRoomPage(user.page()),
  shell: toShellPage(user.page()),
});

const openUser = async (backend: FaultyServer, by: Screen['by']): Promise<User> => {
  const user = await createUser(backend.server);
  user.problems.allow(NETWORK_AWAY);
  user.problems.allow(ON_PURPOSE);
  if (by === 'staff') {
    await user.signIn(PRODUCER);
    await toShellPage(user.page()).main.waitFor();
  }
  return user;
};

/** Shows screens one after the other on one device, and calls `look` on each. */
export const visitScreens = async (
  backend: FaultyServer,
  device: Device,
  screens: readonly Screen[],
  look: (screen: Screen, stage: Stage) => Promise<void>,
): Promise<readonly string[]> => {
  const users = new Map<Screen['by'], User>();
  const problems: string[] = [];
  const close = async (by: Screen['by']): Promise<void> => {
    const user = users.get(by);
    users.delete(by);
    problems.push(...(user?.problems.take() ?? []));
    await user?.dispose();
  };
  try {
    for (const screen of screens) {
      if (screen.only?.includes(device.kind) === false) continue;
      if (screen.by === 'first-visit') await close('first-visit');
      const user = users.get(screen.by) ?? (await openUser(backend, screen.by));
      users.set(screen.by, user);
      await setDevice(user.page(), device);
      const stage = toStage(backend, user, device);
      try {
        await screen.show(stage);
        await settle(user.page());
        await look(screen, stage);
      } catch (cause) {
        throw new Error(`${screen.name} on ${device.name}`, { cause });
      }
      await screen.stop?.(stage);
      backend.proxy.heal();
      await user.goOnline();
      await screen.leave?.(stage);
    }
  } finally {
    for (const by of users.keys()) await close(by);
  }
  return problems;
};
