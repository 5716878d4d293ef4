/**
 * `npm run hosted:try`: runs hosted mode for a manual trial, with a double of the hosted engine
 * that answers as the service documents it, and with the demo accounts, clients and conversations.
 * All of its data is lost at the end.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CHANNEL_TEMPLATE_DEFAULT, toChannel } from '#domain/rooms.ts';
import { listDemoRows } from '#server/embedded/demo/conversations.ts';

import { startHostedEngine } from './hosted-scene.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const { endpoint, env } = await startHostedEngine();
endpoint.log.restore(
  listDemoRows(Date.now()).map(({ room, timetoken, publisher, message }) => ({
    channel: toChannel(CHANNEL_TEMPLATE_DEFAULT, room),
    timetoken,
    publisher,
    message: JSON.parse(message) as unknown,
  })),
);
const folder = await mkdtemp(join(tmpdir(), 'replay-desk-hosted-'));
const control = `http://${endpoint.origin}/_control`;
say(`A double of the hosted engine listens on http://${endpoint.origin}. To break it, for example:
  curl -d '{"operation":"publish","fault":"swallow","times":1}' ${control}
  curl -d '{"operation":"poll","fault":"stall"}' ${control}
  curl -d '{"tokens":"expire"}' ${control}
  curl -d '{"heal":true}' ${control}
`);
const server = spawn(process.execPath, ['server/bin/start.ts'], {
  stdio: 'inherit',
  env: { ...process.env, ...env, DATA_DIR: folder },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));
const [code] = (await once(server, 'exit')) as [number | null];
await endpoint.close();
await rm(folder, { recursive: true, force: true });
process.exitCode = code ?? 1;
