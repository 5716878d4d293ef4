import { toServerUrl } from '../client/server-address.ts';
import { loadConfig } from '../config/config.ts';
import { askUpstream } from '../kernel/upstream.ts';

/** For containers: exit code 0 while the server of these settings accepts requests, else 1. */
const config = loadConfig();
const answer = config.ok && (await askUpstream({ url: `${toServerUrl(config.value)}/api/health` }));
process.exitCode = answer && answer.ok ? 0 : 1;
