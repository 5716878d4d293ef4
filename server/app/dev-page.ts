import type { Wrap } from './main.ts';

/**
 * Vite's middleware in front of the app: pages come from the sources, with hot replacement
 * over the same port; /api stays the server's own.
 */
export const wrapWithVite: Wrap = async (listener, server) => {
  const { createServer } = await import('vite');
  const vite = await createServer({
    appType: 'spa',
    server: { middlewareMode: true, ws: { server } },
  });
  return {
    listener: (incoming, outgoing) => {
      if (/^\/api(?:[/?]|$)/.test(incoming.url ?? '')) listener(incoming, outgoing);
      else vite.middlewares(incoming, outgoing, () => listener(incoming, outgoing));
    },
    close: () => vite.close(),
  };
};
