import { createServer } from 'node:net';

import * as z from 'zod';

import { toServerUrl } from '../client/place.ts';
import type { Config } from '../config/config.ts';
import { askUpstream } from '../kernel/upstream.ts';
import { bad, type Finding, note, ok } from './finding.ts';

const healthSchema = z.object({ status: z.string(), version: z.string() });

/** The error code of listening there for a moment, or undefined. */
const tryPort = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });

/** A port may be taken by a Replay Desk that is running, which is as it should be. */
export const checkPort = async (config: Config): Promise<Finding> => {
  const { host, port } = config;
  const place = `${port} on ${host}`;
  const code = await tryPort(host, port);
  if (code === undefined) return ok('port', port === 0 ? 'any free port' : `${place} is free`);
  if (code !== 'EADDRINUSE') return bad('port', `cannot listen on ${place} (${code})`);
  const health = await askUpstream({ url: `${toServerUrl(config)}/api/health` });
  const answer = healthSchema.safeParse(health.ok ? health.value : undefined);
  return answer.success
    ? note('port', `${place}: Replay Desk ${answer.data.version} is running there`)
    : bad('port', `${place} is taken by another program: stop it, or set PORT`);
};
