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
    const Whole = globalThis.Worker;
    let count = 0;
    globalThis.Worker = class extends Whole {
      constructor(script: string | URL, options?: WorkerOptions) {
        count += 1;
        super(count <= FAILURES ? '/assets/no-such-worker.js' : script, options);
      }
    };
  });
  await user.signIn(PRODUCER, '/search');
  const field = user.page().getByRole('searchbox', { name: 'Search messages' });
  await field.fill('the');
  await user.page().getByText("The messages on this device couldn't be searched.").waitFor();
  const results = user.page().getByRole('list', { name: 'Results' }).getByRole('link');
  await expect.poll(() => results.count()).toBeGreaterThan(0);
});
