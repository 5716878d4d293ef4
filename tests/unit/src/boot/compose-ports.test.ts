// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';

import type { UserStore } from '#db/user/user-store.ts';
import { ok } from '#domain/result.ts';
import { composePorts } from '#src/boot/compose-ports.ts';
import { createDevice } from '#tests/support/device.ts';

const opening = vi.hoisted(() => ({ by: new Map<string, Promise<UserStore>>() }));
vi.mock('#src/boot/open-store.ts', () => ({
  openStore: async (uid: string) => ok(await opening.by.get(uid)),
}));

test('a store that opens after the next one was requested is closed, and not the current one', async () => {
  const device = createDevice();
  const [previous, next] = [await device.openTab('u_1'), await device.openTab('u_2')];
  const late = Promise.withResolvers<UserStore>();
  opening.by.set('u_1', late.promise).set('u_2', Promise.resolve(next));
  const ports = composePorts();
  const first = ports.openStore('u_1');
  expect(await ports.openStore('u_2')).toEqual(ok(next));
  late.resolve(previous);
  expect(await first).toMatchObject({ ok: false, error: { kind: 'storage' } });
  expect(previous.database.isEnded).toBe(true);
  expect(next.database.isEnded).toBe(false);
  expect(ports.engineUser.store).toBe(next);
  next.close();
});
