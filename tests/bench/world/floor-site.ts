import { once } from 'node:events';
import { createServer } from 'node:http';

import { FLOOR_FILES } from './floor-page.ts';

/** The floor's site on loopback. */
export interface FloorSite {
  readonly address: string;
  close(): void;
}

export const startFloorSite = async (): Promise<FloorSite> => {
  const server = createServer(({ url = '/' }, response) => {
    const [type, content] = FLOOR_FILES[url] ?? [];
    if (type === undefined) response.writeHead(404).end();
    else
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' }).end(content);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    address: `http://localhost:${address.port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
