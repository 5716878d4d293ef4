import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

test('a search whose worker did not start continues by itself', async () => {
  user.problems.allow(/./);
  await user.page().addInitScript(() => {
    // One for the empty field, and one for the text.
    const FAILURES = 2;
    let count = 0;
    /** The page's policy for the address of its worker (Trusted Types). */
    interface Rules {
      createScriptURL(text: string): string;
    }
    interface Factory {
      createPolicy(name: string, rules: Rules): unknown;
    }
    const factory = Reflect.get(globalThis, 'trustedTypes') as Factory;
    const create = factory.createPolicy.bind(factory);
    factory.createPolicy = (name, rules) => {
      if (name !== 'replay-desk-search') return create(name, rules);
      const createScriptURL = (text: string): string => {
        count += 1;
        return count <= FAILURES ? '/assets/no-such-worker.js' : rules.createScriptURL(text);
      };
      return create(name, { createScriptURL });
    };
  });
  await user.signIn(PRODUCER, '/search');
  const field = user.page().getByRole('searchbox', { name: 'Search messages' });
  await field.fill('the');
  await user.page().getByText("Couldn't search the messages on this device.").waitFor();
  const results = user.page().getByRole('list', { name: 'Results' }).getByRole('link');
  await expect.poll(() => results.count()).toBeGreaterThan(0);
});
