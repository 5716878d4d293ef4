import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { bindReplicaToEngine } from '#db/user/bind-replica.ts';
import type { PublicConfig } from '#domain/schemas/config.ts';
import { createPublicConfig } from '#src/adapters/http/public-config.ts';
import type { Web } from '#src/adapters/http/request-json.ts';
import { loadEngine, toEngineName } from '#src/boot/load-engine.ts';
import { createDevice } from '#tests/support/device.ts';
import { EMBEDDED, OTHER } from '#tests/support/engine-settings.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** The browser features that the page uses. */
let reloads: number;
beforeEach(() => {
  reloads = 0;
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
  vi.stubGlobal('window', { location: { reload: () => void (reloads += 1) } });
});
afterEach(() => void vi.unstubAllGlobals());

test('a tab without a stream follows when another tab takes the new engine', async () => {
  let served: PublicConfig = EMBEDDED;
  const web: Web = {
    origin: 'http://desk.test',
    timeoutMs: 10_000,
    fetch: () => Promise.resolve(Response.json(served)),
  };
  const device = createDevice();
  const [leading, store] = [await device.openTab(), await device.openTab()];
  const engine = await loadEngine({
    web,
    user: { uid: 'u_me', store },
    clock: { now: () => 1 },
    log: { write: () => undefined },
    publicConfig: createPublicConfig(web),
  });
  expect(engine.ok).toBe(true);
  served = OTHER;
  // The leading tab does the same, and then reloads.
  await bindReplicaToEngine(leading.database, toEngineName(OTHER));
  await waitFor('the reload', () => reloads === 1);
  leading.close();
  store.close();
});
