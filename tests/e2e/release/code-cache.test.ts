import { afterAll, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

const ROOM = '/chat/c_001/team';
/** The scripts that the first paint needs: in a room, and on every page. */
const PARTS = ['core', 'desk', 'react', 'start', 'zod'];
const COMMON_PARTS = ['core', 'react', 'zod'];

interface CompiledData {
  readonly url: string;
  /** bytes */
  readonly consumedCacheSize?: number;
  readonly cacheRejected?: boolean;
}

/** Chromium's report of a compiled module (`v8.compileModule`). */
interface Compiled {
  readonly name: string;
  readonly args?: { readonly data?: CompiledData };
}

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server, 'whole');
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});

const openRoom = async (): Promise<void> => {
  await user.visit(ROOM);
  await toRoomPage(user.page()).region.locator('[data-message-id]').first().waitFor();
};

const openHome = async (): Promise<void> => {
  await user.visit('/');
  await user.page().getByRole('region', { name: 'Needs reply' }).waitFor();
};

/** Opens a page; returns the parts of it whose compiled code came from the cache. */
const openTraced = async (open: () => Promise<void>): Promise<readonly string[]> => {
  const session = await user.page().context().browser()?.newBrowserCDPSession();
  if (session === undefined) throw new Error('the browser is gone');
  const events: Compiled[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as unknown as Compiled[]));
  });
  const traceConfig = { includedCategories: ['v8', 'devtools.timeline'] };
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  await open();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  const compiled = events.flatMap(({ name, args }) =>
    name === 'v8.compileModule' && args?.data ? [args.data] : [],
  );
  return compiled
    .filter(({ consumedCacheSize = 0, cacheRejected }) => consumedCacheSize > 0 && !cacheRejected)
    .flatMap(({ url }) => /\/assets\/(?<part>\w+)-/.exec(url)?.[1] ?? [])
    .toSorted();
};

/** Where the browser found each file of the page's code, as it reports for a static route. */
const findSources = (): Promise<readonly (readonly [string, string])[]> =>
  user.page().evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/assets/'))
      .map((entry) => [
        new URL(entry.name).pathname,
        (entry as unknown as { readonly workerFinalSourceType: string }).workerFinalSourceType,
      ]),
  );

test('code comes from the cache without waiting for the worker, also offline', async () => {
  await user.signInByForm(PRODUCER, ROOM);
  for (const goSomewhere of [() => user.goOnline(), () => user.goOffline()]) {
    await goSomewhere();
    await openRoom();
    const sources = await findSources();
    expect(sources.length).toBeGreaterThan(PARTS.length);
    expect(sources.filter(([, source]) => source !== 'cache')).toEqual([]);
  }
  await user.goOnline();
});

test.each([
  ['a room', openRoom, PARTS],
  ['Home', openHome, COMMON_PARTS],
])(
  'a new process of the browser does not compile the code of %s again',
  async (_what, open, parts) => {
    await open();
    // The browser stores compiled code once a page was used a few times.
    await untilPasses(async () => {
      await open();
      await user.closeBrowser();
      await user.openBrowser();
      expect(await openTraced(open)).toEqual(expect.arrayContaining(parts));
    });
  },
);

test('code that the browser removed from the cache comes from the server', async () => {
  await openRoom();
  const script = (await findSources()).find(([path]) => path.includes('/desk-'))?.[0];
  expect(script).toBeDefined();
  await user.page().evaluate(async (path = '') => {
    for (const name of await caches.keys()) await (await caches.open(name)).delete(path);
  }, script);
  // The page's own process has a copy in memory.
  await user.closeBrowser();
  await user.openBrowser();
  await openRoom();
  expect((await findSources()).find(([path]) => path === script)?.[1]).toBe('network');
});
