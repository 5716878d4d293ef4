import type { Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { holdRequests } from '#tests/support/browser/hold-requests.ts';
import { createUser, PRODUCER, submitSignIn, type User } from '#tests/support/browser/user.ts';

const SESSION = '**/api/auth/session';
const ROOM = '/chat/c_001/general';

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
beforeEach(async () => {
  await user.startOver();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

test(
  'the session is loading until the server answered, then there is one or none',
  { tags: ['S4.1'] },
  async () => {
    // Without any cookie the document already contains the sign-in page.
    const outdated = { name: 'replay-desk.session', value: 'outdated', url: server.address };
    await user.page().context().addCookies([outdated]);
    const { release } = await holdRequests(user.page(), SESSION);
    await user.visit('/videos');
    await user.page().getByLabel('Loading', { exact: true }).waitFor();
    expect(user.path()).toBe('/videos');
    release();
    await user.page().waitForURL((url) => url.pathname === '/login');
    await submitSignIn(user.page(), PRODUCER);
    await user.page().getByRole('heading', { name: 'Videos' }).waitFor();
  },
);

test('a sign-in in one tab signs in the others', { tags: ['S4.3'] }, async () => {
  const first = user.page();
  await user.visit('/login');
  const second = await user.openTab();
  await user.visit('/deliveries');
  await second.waitForURL((url) => url.pathname === '/login');
  await submitSignIn(first, PRODUCER);
  await toShellPage(first).main.waitFor();
  await second.getByRole('heading', { name: 'Deliveries' }).waitFor();
  expect(await second.getByRole('button', { name: 'Sign In' }).count()).toBe(0);
});

test(
  'every load and every return to the window requests the session',
  { tags: ['S2.5', 'S3.4', 'S4.2'] },
  async () => {
    await user.signInByForm(PRODUCER, ROOM);
    await toRoomPage(user.page()).composer.waitFor();
    const isSession = (one: Request) => one.url().endsWith('/api/auth/session');
    const loading = user.page().waitForRequest(isSession);
    await user.page().reload();
    const loaded = await loading;
    const answers = [await (await loaded.response())?.json()];
    await toRoomPage(user.page()).composer.waitFor();
    const returns: Request[] = [];
    user.page().on('request', (one) => void (isSession(one) && returns.push(one)));
    // A return during a pending request adds none.
    await expect
      .poll(async () => {
        await user.page().evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
        return returns.length;
      })
      .toBeGreaterThan(0);
    answers.push(await (await returns[0]?.response())?.json());
    for (const answer of answers) expect(answer).toMatchObject({ user: { uid: PRODUCER.uid } });
  },
);

const INTERVALS = [['at once'], ['after a first failed request']] as const;

test.each(INTERVALS)(
  'a configured interval requests the session that often, %s',
  { tags: ['S4.4'] },
  async (when) => {
    const polled = await startServer({ SESSION_POLL_SECONDS: '1' });
    const own = await createUser(polled);
    try {
      if (when !== 'at once') {
        own.problems.allow(/ERR_FAILED/);
        await own.page().route('**/api/config', (route) => route.abort(), { times: 1 });
      }
      const times: number[] = [];
      own.page().on('requestfinished', (request) => {
        if (request.url().endsWith('/api/auth/session')) times.push(request.timing().startTime);
      });
      await own.signInByForm(PRODUCER, ROOM);
      await toRoomPage(own.page()).composer.waitFor();
      times.length = 0;
      await expect.poll(() => times.length).toBeGreaterThan(3);
      const waits = times.slice(1).map((at, index) => at - (times[index] ?? at));
      expect(Math.min(...waits.slice(1))).toBeGreaterThan(900);
    } finally {
      await own.dispose();
      await polled.dispose();
    }
  },
);

test(
  'a session that cannot be fetched is logged by beacon and yields nothing',
  { tags: ['S7.9', 'S8.8'] },
  async () => {
    user.problems.allow(/CLIENT_FETCH_ERROR|503/);
    await user
      .page()
      .route(SESSION, (route) =>
        route.fulfill({ status: 503, contentType: 'application/json', body: '{"error":"away"}' }),
      );
    const logged = user.page().waitForRequest((one) => one.url().endsWith('/api/auth/_log'));
    await user.visit('/videos');
    const beacon = await logged;
    expect(beacon.resourceType()).toBe('ping');
    const fields = new URLSearchParams(beacon.postData() ?? '');
    expect(fields.get('level')).toBe('error');
    expect(fields.get('code')).toBe('CLIENT_FETCH_ERROR');
    expect(JSON.parse(fields.get('details') ?? '')).toEqual({ kind: 'server' });
    await user.page().waitForURL((url) => url.pathname === '/login');
  },
);

test(
  'a session that the device cannot store is logged, and still used',
  { tags: ['S8.9'] },
  async () => {
    user.problems.allow(/CLIENT_SESSION_ERROR|SIGN_OUT_UNFINISHED|KEPT_UNREAD/);
    await user.page().addInitScript(() => {
      const open = indexedDB.open.bind(indexedDB);
      indexedDB.open = (name: string, version?: number) => {
        if (name === 'replay-desk-device') throw new DOMException('no device', 'UnknownError');
        return open(name, version);
      };
    });
    const logged = user
      .page()
      .waitForRequest((one) => (one.postData() ?? '').includes('CLIENT_SESSION_ERROR'));
    await user.signInByForm(PRODUCER, ROOM);
    expect((await logged).url()).toBe(`${server.address}/api/auth/_log`);
    await toRoomPage(user.page()).composer.waitFor();
  },
);
