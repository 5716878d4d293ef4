import { expect } from 'vitest';

import { type FaultyServer, startFaultyServer } from './faulty-server.ts';
import { NETWORK_AWAY } from '../page/problems.ts';
import { type RoomPage, toRoomPage } from '../page/room.ts';
import { toShellPage } from '../page/shell.ts';
import type { ServerEnv } from '../process/server-process.ts';
import type { BrowserKind } from '../browser/process.ts';
import { createUser, PRODUCER, type User } from '../browser/user.ts';

export const ROOM = '/chat/c_003/general';
export const CHANNEL = 'chat.c_003.general';

/** Log lines of browsers and of the session client while a network fails. */
const FAULT_NOISE = /net::ERR_|CLIENT_FETCH_ERROR|Failed to load resource/;

/** The result of `findEverywhere` when nothing is lost: each text once, in order. */
export const onceEach = (texts: readonly string[]) => ({ log: texts, screen: texts });

/** One user behind a network that fails. */
export interface FaultScene {
  readonly backend: FaultyServer;
  readonly user: User;
  readonly room: () => RoomPage;
  /** The text of the connection line. */
  readonly status: () => Promise<string>;
  /** `data-state` of a message that the user sent, once it is on the screen. */
  readonly stateOf: (text: string) => Promise<string | null>;
  /** Waits until the message is on this screen as sent. */
  readonly expectSent: (text: string) => Promise<void>;
  /** The given texts in the server's log and on the screen, with their number of occurrences. */
  readonly findEverywhere: (texts: readonly string[]) => Promise<{
    readonly log: readonly string[];
    readonly screen: readonly string[];
  }>;
  readonly dispose: () => Promise<void>;
}

/** The given texts in their order, with their number of occurrences. */
const pick = (all: readonly string[], wanted: readonly string[]): readonly string[] =>
  all.flatMap((text) => wanted.filter((one) => text.includes(one)));

/** Signs in behind a faulty network that still works; `env` are settings of the server. */
export const openScene = async ({
  env = {},
  browser = 'page',
}: { readonly env?: ServerEnv; readonly browser?: BrowserKind } = {}): Promise<FaultScene> => {
  const backend = await startFaultyServer(env);
  const user = await createUser(backend.server, browser);
  user.problems.allow(NETWORK_AWAY);
  user.problems.allow(FAULT_NOISE);
  await user.signIn(PRODUCER, ROOM);
  const room = (): RoomPage => toRoomPage(user.page());
  await room().region.locator('[data-message-id]').first().waitFor();
  await user.page().evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const stateOf = (text: string) => room().message(text).first().getAttribute('data-state');
  return {
    backend,
    user,
    room,
    status: () => toShellPage(user.page()).connection.innerText(),
    stateOf,
    expectSent: async (text) => {
      await expect.poll(() => stateOf(text)).toBe('sent');
    },
    findEverywhere: async (texts) => {
      const shown = (await room().readAll()).map(({ text }) => text);
      return { log: pick(await backend.readLog(CHANNEL), texts), screen: pick(shown, texts) };
    },
    dispose: async () => {
      const problems = user.problems.take();
      await user.dispose();
      await backend.dispose();
      expect(problems).toEqual([]);
    },
  };
};
