import type { Wrap } from './main.ts';

/**
 * Vite's middleware in front of the app: it serves the page from the sources, with hot
 * replacement over the same port; the server still answers /api.
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
