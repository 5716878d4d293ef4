import { expect, test } from 'vitest';

import { openListener } from '#server/http/listener.ts';
import { createLog } from '#server/kernel/log.ts';
import { send } from '#tests/support/server/web-client.ts';

test('faults of the port are in the log, once a minute, and the server continues', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const opened = await openListener({ host: '127.0.0.1', port: 0, log });
  if (!opened.ok) throw new Error(opened.error);
  const listener = opened.value;
  for (const name of ['ENOBUFS', 'ENOMEM']) {
    listener.server.emit('error', new Error(`accept ${name}`));
  }
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 50, msg: 'the port reported a fault', err: { message: 'accept ENOBUFS' } },
  ]);
  expect((await send(listener.port, '/')).status).toBe(503);
  await listener.close();
});
