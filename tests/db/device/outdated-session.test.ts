// @vitest-environment happy-dom
import { setTimeout as pause } from 'node:timers/promises';

import { beforeEach, describe, expect, it } from 'vitest';

import { createDeviceStore } from '#db/device/device-store.ts';
import { createLazyDeviceStore } from '#db/device/lazy-device-store.ts';
import type { AppError } from '#domain/errors.ts';
import type { DeviceStore } from '#domain/ports/device.ts';
import { fail, ok } from '#domain/result.ts';
import type { Session } from '#domain/schemas/session.ts';
import { createOutdatedFlag } from '#src/adapters/browser/store-flags.ts';
import { systemIds } from '#src/adapters/browser/system.ts';
import { createDevice } from '#tests/support/device.ts';

const session: Session = { user: { uid: 'u_me' }, expires: '2030-01-01T00:00:00.000Z' };
const renewed: Session = { ...session, expires: '2031-01-01T00:00:00.000Z' };
const other: Session = { ...session, user: { uid: 'u_you' } };

let device: ReturnType<typeof createDevice>;
let loads: number;

beforeEach(async () => {
  localStorage.clear();
  device = createDevice();
  loads = 0;
  await createDeviceStore(device.options).saveSession(session, 0);
});

const full = async () => fail<AppError>({ kind: 'quota' });

/** A page of this device; `broken` replaces methods of the store behind it. */
const openPage = (broken: Partial<DeviceStore> = {}) =>
  createLazyDeviceStore(
    { outdated: createOutdatedFlag(systemIds) },
    async () => {
      loads += 1;
      return { ...createDeviceStore(device.options), ...broken };
    },
    device.factory,
  );

describe('a session that is no longer the last one', () => {
  it.each([
    ['is refused', full],
    ['never ends', () => new Promise<never>(() => undefined)],
  ])("is not shown at the next start if storing another user's %s", async (_, saveSession) => {
    const page = openPage({ saveSession });
    expect(await page.findSession()).toEqual(ok(session));
    void page.saveSession(other, 0);
    await expect.poll(() => loads).toBe(1);
    expect(await openPage().findSession()).toEqual(ok(undefined));
  });

  it.each([
    ['is refused', full],
    ['never ends', () => new Promise<never>(() => undefined)],
  ])('is not shown at the next start if its deletion %s', async (_, clearSession) => {
    const page = openPage({ clearSession });
    void page.clearSession();
    await expect.poll(() => loads).toBe(1);
    expect(await openPage().findSession()).toEqual(ok(undefined));
  });

  it("is not shown for longer if storing another user's takes long", async () => {
    const page = openPage({ saveSession: () => new Promise<never>(() => undefined) });
    await page.findSession();
    const saved = await page.saveSession(other, 0);
    expect(saved).toEqual(fail({ kind: 'timeout' }));
  });

  it('does not shorten the time for storing the next one after a sign-out', async () => {
    const slow: DeviceStore['saveSession'] = async (next, count) => {
      await pause(1200);
      return createDeviceStore(device.options).saveSession(next, count);
    };
    const page = openPage({ saveSession: slow });
    await page.findSession();
    await page.findSignOuts();
    await createDeviceStore(device.options).signOut({ uid: 'u_me', discarded: [] });
    await page.findSignOuts();
    expect(await page.saveSession(other, 1)).toEqual(ok(true));
  });

  it('gives way to the next one that is stored, which is shown', async () => {
    await openPage({ saveSession: full }).saveSession(other, 0);
    await openPage().saveSession(other, 0);
    expect(await openPage().findSession()).toEqual(ok(other));
  });

  it('is still shown if only its renewal could not be stored', async () => {
    const page = openPage({ saveSession: full });
    await page.findSession();
    await page.saveSession(renewed, 0);
    expect(await openPage().findSession()).toEqual(ok(session));
  });

  it("is not shown once another tab's earlier renewal was confirmed late", async () => {
    const late = Promise.withResolvers<void>();
    const renewing = openPage({
      saveSession: async (...save) => {
        const saved = await createDeviceStore(device.options).saveSession(...save);
        await late.promise;
        return saved;
      },
    });
    await renewing.findSession();
    const renewal = renewing.saveSession(renewed, 0);
    const replacing = openPage({ saveSession: full });
    await replacing.findSession();
    await replacing.saveSession(other, 0);
    late.resolve();
    expect(await renewal).toEqual(ok(true));
    expect(await openPage().findSession()).toEqual(ok(undefined));
  });

  it('is not shown if it was stored late, after its deletion failed', async () => {
    const late = Promise.withResolvers<void>();
    const page = openPage({
      saveSession: async (...save) => {
        await late.promise;
        return createDeviceStore(device.options).saveSession(...save);
      },
      clearSession: full,
    });
    const saving = page.saveSession(other, 0);
    expect(await page.clearSession()).toEqual(await full());
    late.resolve();
    expect(await saving).toEqual(ok(true));
    expect(await openPage().findSession()).toEqual(ok(undefined));
  });

  it('is not shown if its deletion fails after another tab stored a session', async () => {
    const late = Promise.withResolvers<void>();
    const clearSession = async () => {
      await late.promise;
      return full();
    };
    const clearing = openPage({ clearSession }).clearSession();
    await openPage().saveSession(session, 0);
    late.resolve();
    expect(await clearing).toEqual(await full());
    expect(await openPage().findSession()).toEqual(ok(undefined));
  });

  it('is shown again once the server confirmed and a renewal stored it', async () => {
    const page = openPage();
    await page.findSession();
    await openPage({ clearSession: full }).clearSession();
    expect(await openPage().findSession()).toEqual(ok(undefined));
    await page.saveSession(renewed, 0);
    expect(await openPage().findSession()).toEqual(ok(renewed));
  });

  it('is not shown if an earlier version flagged it as outdated', async () => {
    localStorage.setItem('replay-desk-session', 'outdated');
    expect(await openPage().findSession()).toEqual(ok(undefined));
  });
});
