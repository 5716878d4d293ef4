// @vitest-environment happy-dom
import { Dexie } from 'dexie';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { bindReplicaToEngine } from '#db/user/bind-replica.ts';
import type { UserStore } from '#db/user/user-store.ts';
import type { AppError } from '#domain/errors.ts';
import type { Realtime, StreamSignal } from '#domain/ports/network.ts';
import type { PublicConfig } from '#domain/schemas/config.ts';
import { toPayload } from '#domain/schemas/message.ts';
import { createPublicConfig } from '#src/adapters/http/public-config.ts';
import type { Web } from '#src/adapters/http/request-json.ts';
import { type EngineUser, loadEngine, watchStreamEnds } from '#src/boot/load-engine.ts';
import { mayReload } from '#src/boot/throttled-reload.ts';
import { createDevice } from '#tests/support/device.ts';
import { EMBEDDED, OTHER } from '#tests/support/engine-settings.ts';
import { at, idAt, page, received, ROOM } from '#tests/support/facts.ts';

const OTHER_NAME = 'hosted sub-c-1 chat.{cid}.{rid}';

let served: PublicConfig;
let talks: boolean;
let reloads: number;
let reloaded: Promise<void>;
let store: UserStore;
let user: EngineUser;

beforeEach(async () => {
  sessionStorage.clear();
  [served, talks, reloads] = [EMBEDDED, false, 0];
  const { promise, resolve } = Promise.withResolvers<void>();
  reloaded = promise;
  vi.spyOn(window.location, 'reload').mockImplementation(() => {
    reloads += 1;
    resolve();
  });
  store = await createDevice().openTab();
  await store.append([received(at(1)), page(at(1), at(1), true)]);
  user = { uid: 'u_me', store };
});
afterEach(() => {
  store.close();
  vi.restoreAllMocks();
});

/**
 * A server that names its engine, and does not have the paths of the embedded one; with `talks`, it
 * accepts messages in the channels `talk.…`.
 */
const web: Web = {
  origin: 'http://desk.test',
  timeoutMs: 10_000,
  fetch: (url, init) => {
    if (typeof url !== 'string') throw new Error('not asked for by its address');
    const { pathname } = new URL(url);
    if (pathname === '/api/config') return Promise.resolve(Response.json(served));
    if (talks && pathname === '/api/realtime/token') {
      return Promise.resolve(Response.json({ token: 't', expires: 900_000 }));
    }
    const isAccepted = talks && JSON.stringify(init?.body).includes('talk.');
    const answer = isAccepted ? { timetoken: at(7) } : { error: 'Not a channel' };
    const status = talks ? 400 : 404;
    return Promise.resolve(Response.json(answer, { status: isAccepted ? 200 : status }));
  },
};

const load = () =>
  loadEngine({
    web,
    user,
    clock: { now: () => 1 },
    log: { write: () => undefined },
    publicConfig: createPublicConfig(web),
  });

/** Resolves once the page reloads, or the engine is loaded. */
const loadOrReload = (): Promise<string> =>
  Promise.race([load().then(({ ok }) => `loaded: ${ok}`), reloaded.then(() => 'reloaded')]);

const mustLoad = async (): Promise<Realtime> => {
  const engine = await load();
  if (!engine.ok) throw new Error(engine.error.kind);
  return engine.value;
};

const endStream = async (engine: Realtime): Promise<void> => {
  const signals: StreamSignal[] = [];
  engine.openStream(undefined, (signal) => signals.push(signal));
  await expect.poll(() => signals).toMatchObject([{ type: 'ended' }]);
};

const findEngineName = async () => (await store.database.meta.get('engine')) ?? 'none';

test('a store of the same engine is used as it is', async () => {
  expect(await loadOrReload()).toBe('loaded: true');
  expect(await store.findCoverage(ROOM)).toMatchObject({ value: { reachedStart: true } });
});

test('a store of another engine loses its coverage, and the page reloads once', async () => {
  await bindReplicaToEngine(store.database, OTHER_NAME);
  await store.append([page(at(1), at(1), true)]);
  expect(await loadOrReload()).toBe('reloaded');
  expect(await store.findCoverage(ROOM)).toEqual({ ok: true, value: undefined });
  // The next page.
  expect((await load()).ok).toBe(true);
  expect(reloads).toBe(1);
});

test('a change back within a minute does not reload the page again', async () => {
  await bindReplicaToEngine(store.database, OTHER_NAME);
  await store.append([page(at(1), at(1), true)]);
  await loadOrReload();
  await bindReplicaToEngine(store.database, OTHER_NAME);
  await store.append([page(at(1), at(1), true)]);
  store.database.engine = undefined;
  expect((await load()).ok).toBe(true);
  expect(reloads).toBe(1);
});

test('a clock that is set back does not delay the next reload', async () => {
  await bindReplicaToEngine(store.database, OTHER_NAME);
  await store.append([page(at(1), at(1), true)]);
  await loadOrReload();
  expect(mayReload('engine')).toBe(false);
  const now = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => now - 86_400_000);
  expect(mayReload('engine')).toBe(true);
});

test('a store that cannot be bound has no engine, and is bound at the next use', async () => {
  await bindReplicaToEngine(store.database, OTHER_NAME);
  vi.spyOn(store.database, 'transaction').mockRejectedValueOnce(new Error('disk'));
  expect(await load()).toMatchObject({ ok: false });
  expect(await store.append([received(at(2))])).toMatchObject({ ok: false });
  expect((await load()).ok).toBe(true);
  expect(await store.append([received(at(2))])).toEqual({ ok: true, value: 1 });
});

test('loading that is repeated watches the store once', async () => {
  const begun = vi.spyOn(Dexie.on.storagemutated, 'subscribe');
  const ended = vi.spyOn(Dexie.on.storagemutated, 'unsubscribe');
  expect((await load()).ok).toBe(true);
  const watched = begun.mock.calls.length - ended.mock.calls.length;
  expect(watched).toBeGreaterThan(0);
  expect((await load()).ok).toBe(true);
  expect(begun.mock.calls.length - ended.mock.calls.length).toBe(watched);
});

test('a page that is open while the server switches to another engine binds its store and reloads', async () => {
  const prepare = vi.fn<() => Promise<boolean>>(() => Promise.resolve(true));
  user.prepareReload = prepare;
  const engine = await mustLoad();
  await endStream(engine);
  expect([prepare.mock.calls.length, reloads]).toEqual([0, 0]);
  served = OTHER;
  await endStream(engine);
  await reloaded;
  expect(prepare).toHaveBeenCalledTimes(1);
  expect(await findEngineName()).toMatchObject({ name: OTHER_NAME });
  // Entries of the old engine are not stored until the page has reloaded.
  expect(await store.append([received(at(2))])).toMatchObject({ ok: false });
});

const publish = (engine: Realtime) =>
  engine.publish(ROOM, toPayload(idAt(1), 'hello'), new AbortController().signal);

test('a changed channel template is used from the first refusal on, without a reload', async () => {
  talks = true;
  const engine = await mustLoad();
  served = { ...EMBEDDED, channelTemplate: 'talk.{cid}.{rid}' };
  expect(await publish(engine)).toEqual({ ok: true, value: at(7) });
  expect(reloads).toBe(0);
  expect(await store.findCoverage(ROOM)).toMatchObject({ value: { reachedStart: true } });
});

test('a store that is opened later gets its own access token', async () => {
  served = { ...EMBEDDED, channelTemplate: 'talk.{cid}.{rid}' };
  talks = true;
  const requests = vi.spyOn(web, 'fetch');
  const countTokens = () =>
    requests.mock.calls.filter(([url]) => url === 'http://desk.test/api/realtime/token').length;
  const engine = await mustLoad();
  await publish(engine);
  await publish(engine);
  expect(countTokens()).toBe(1);
  // The user signed out, which ended the token, and in again.
  await user.bind?.(store);
  await publish(engine);
  expect(countTokens()).toBe(2);
});

test('no message is refused for its channel while the server uses another engine', async () => {
  talks = true;
  const engine = await mustLoad();
  served = OTHER;
  expect(await publish(engine)).toEqual({ ok: false, error: { kind: 'unreachable' } });
});

test('a page with unsaved data does not reload', async () => {
  const prepare = vi.fn<() => Promise<boolean>>(() => Promise.resolve(false));
  user.prepareReload = prepare;
  const engine = await mustLoad();
  served = OTHER;
  await endStream(engine);
  await expect.poll(() => prepare.mock.calls.length).toBe(1);
  expect(reloads).toBe(0);
  expect(await findEngineName()).toBe('none');
});

test.each<[AppError, number]>([
  [{ kind: 'rejected', status: 404 }, 1],
  [{ kind: 'malformed', detail: 'token' }, 1],
  [{ kind: 'forbidden' }, 1],
  [{ kind: 'unreachable' }, 0],
  [{ kind: 'timeout' }, 0],
  [{ kind: 'server', status: 503 }, 0],
  [{ kind: 'unauthenticated' }, 0],
])('a stream that ends with %o is reported as a foreign response %i times', (error, times) => {
  const onForeignResponse = vi.fn<() => void>();
  const onSignal = vi.fn<() => void>();
  const engine = watchStreamEnds(
    {
      openStream: (_cursor, notify) => {
        notify({ type: 'beat', cursor: '17000000000000000' as never });
        notify({ type: 'ended', error });
        return () => undefined;
      },
    } as Realtime,
    onForeignResponse,
  );
  engine.openStream(undefined, onSignal);
  expect(onForeignResponse).toHaveBeenCalledTimes(times);
  expect(onSignal).toHaveBeenCalledTimes(2);
});
