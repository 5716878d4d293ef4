import { Agent, get } from 'node:http';

import { toServerUrl } from '../client/server-address.ts';
import { loadConfig } from '../config/config.ts';
import { UPSTREAM_TIMEOUT_MS } from '../kernel/limits.ts';

/** An agent of its own ignores the proxy of the environment, which is for other servers. */
const isHealthy = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const signal = AbortSignal.timeout(UPSTREAM_TIMEOUT_MS);
    const request = get(url, { agent: new Agent(), signal }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    request.once('error', () => resolve(false));
  });

/** For containers: exit code 0 while the server of these settings accepts requests, else 1. */
const config = loadConfig();
const isUp = config.ok && (await isHealthy(`${toServerUrl(config.value)}/api/health`));
process.exitCode = isUp ? 0 : 1;
