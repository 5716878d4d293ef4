// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';

test('a page that has not started yet reloads for a lost part, once a minute, without a worker', async () => {
  vi.resetModules();
  const { guardReloads, reloadOnLostPart } = await import('#src/boot/throttled-reload.ts');
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue(undefined);
  reloadOnLostPart();
  const lose = (): boolean =>
    window.dispatchEvent(new Event('vite:preloadError', { cancelable: true }));
  expect([lose(), lose()]).toEqual([false, true]);
  expect(reload).toHaveBeenCalledOnce();
  sessionStorage.clear();
  guardReloads((run) => run());
  expect(lose()).toBe(true);
  expect(reload).toHaveBeenCalledOnce();
});
