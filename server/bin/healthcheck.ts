import { isAnswering } from '../client/server-address.ts';
import { loadConfig } from '../config/config.ts';

/** For containers: exit code 0 while the server of these settings accepts requests, else 1. */
const config = loadConfig();
process.exitCode = config.ok && (await isAnswering(config.value)) ? 0 : 1;
