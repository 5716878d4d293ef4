import { afterEach, describe, expect, test } from 'vitest';

import { createDeniedSessions } from '#server/denied/denied-sessions.ts';
import { createSharedDeniedStore } from '#server/denied/shared-denials.ts';
import { createLog } from '#server/kernel/log.ts';
import { openSharedStore } from '#server/shared/shared-store.ts';
import { endSession, listSessions } from '#tests/support/server/sessions-client.ts';
import { startStoreServer } from '#tests/support/services/store-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { createCookieClient } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const OLD = 'the secret of last year, long enough';
const NEW = 'the secret of this year, long enough';

describe('a session that was listed under the previous secret', () => {
  let server: WebServer;
  afterEach(() => server.dispose());

  test('is listed once, as the current one, and survives the end of all others', async () => {
    server = await startWebServer({ AUTH_SECRET: OLD });
    const client = createCookieClient(server.port);
    await client.signIn();
    const other = createCookieClient(server.port);
    await other.signIn();
    server = await server.restart({ AUTH_SECRET: NEW, AUTH_SECRET_PREVIOUS: OLD });
    const sessions = await listSessions(client);
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    expect((await endSession(client, '?others')).json()).toEqual({ ended: 1 });
    expect((await client.send('/api/sessions')).status).toBe(200);
    expect((await other.send('/api/sessions')).status).toBe(401);
  });
});

test('a sign-out under the previous secret remains in effect under the new one', async () => {
  const store = await startStoreServer();
  const log = createLog('silent');
  const [before, after] = [OLD, NEW].map((secret) => {
    const shared = openSharedStore(store.url, secret, log);
    const denials = createSharedDeniedStore(shared, Date.now, log);
    return { shared, denied: createDeniedSessions(denials, { now: Date.now, log }) };
  });
  if (before === undefined || after === undefined) throw new Error('two sides are needed');
  await waitFor('the store', () => before.shared.isUp() && after.shared.isUp());
  await before.denied.add('sid-1', Date.now() + 60_000);
  expect(await after.denied.check('sid-1')).toBe(true);
  expect(await after.denied.check('sid-2')).toBe(false);
  for (const { shared, denied } of [before, after]) {
    await denied.close();
    shared.close();
  }
  await store.dispose();
});
