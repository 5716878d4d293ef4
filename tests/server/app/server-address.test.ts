import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { isAnswering } from '#server/client/server-address.ts';
import { parseConfig } from '#server/config/config.ts';

const isAnsweringAt = (HOST: string, port: number): Promise<boolean> => {
  const config = parseConfig({ HOST, PORT: String(port), PUBLIC_URL: 'https://desk.example.org' });
  if (!config.ok) throw new Error('the settings were refused');
  return isAnswering(config.value);
};

test.each([200, 503])('a server answers if its health is 200: %i', async (status) => {
  const server = createServer((_, answer) => answer.writeHead(status).end());
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const { port } = server.address() as AddressInfo;
  expect(await isAnsweringAt('127.0.0.1', port)).toBe(status === 200);
  await new Promise((closed) => {
    server.close(closed);
  });
});

test('nothing answers at an address that no request can have', async () => {
  expect(await isAnsweringAt('1.2.3.4.5', 4600)).toBe(false);
});
