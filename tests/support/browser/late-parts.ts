import { getSession } from '../page/session.ts';
import type { User } from './user.ts';

/**
 * Visits a path while the chunk of what a page needs later is held back. The result lets it arrive.
 */
export const visitWithoutLateParts = async (user: User, path: string): Promise<() => void> => {
  const page = user.page();
  // Every file comes from the network, whatever the worker has.
  const session = await getSession(page);
  await session.send('Network.enable');
  await session.send('Network.setBypassServiceWorker', { bypass: true });
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const held = Promise.withResolvers<void>();
  await page.unrouteAll();
  await page.route('**/assets/screens*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  await user.visit(path);
  return () => held.resolve();
};
