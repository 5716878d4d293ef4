import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems assign the ports of this range only to programs that request a specific one. */
const PORTS = { from: 20_000, to: 32_000 } as const;

/** A free port that stays free while its server restarts: connections get other ones. */
export const findFreePort = async (): Promise<number> => {
  const port = randomInt(PORTS.from, PORTS.to);
  const probe = createServer().listen(port, '127.0.0.1');
  const isFree = await once(probe, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return findFreePort();
  probe.close();
  await once(probe, 'close');
  return port;
};
