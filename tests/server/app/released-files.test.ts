import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';

import { type NodeProcess, runScript } from '#tests/support/process/node-process.ts';
import { createCookieClient, send } from '#tests/support/server/web-client.ts';

const DOCKERFILE = readFileSync('Dockerfile', 'utf8');
const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })),
});

let folder: string;
let server: NodeProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replay-desk-image-'));
  server = undefined;
});
afterEach(async () => {
  server?.kill('SIGKILL');
  await server?.exited;
  rmSync(folder, { recursive: true, force: true });
});

/** Files and folders that the last stage copies from the project itself. */
const readCopied = (): readonly string[] => {
  const lastStage = DOCKERFILE.slice(DOCKERFILE.lastIndexOf('\nFROM '));
  return [...lastStage.matchAll(/^COPY (?<from>[\w.-]+) \.\/.*$/gm)].map(
    (match) => match.groups?.['from'] ?? '',
  );
};

/** Top-level libraries that `npm ci --omit=dev` installs. */
const readLibraries = (): readonly string[] => {
  const lock = lockSchema.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
  return Object.entries(lock.packages)
    .filter(([place, { dev }]) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(place) && !dev)
    .map(([place]) => place);
};

/** The last stage of the image, without the container. */
const layImage = (): void => {
  for (const name of readCopied()) cpSync(resolve(name), join(folder, name), { recursive: true });
  for (const place of readLibraries()) {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    symlinkSync(resolve(place), join(folder, place));
  }
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist', 'index.html'), '<!doctype html><title>Replay Desk</title>');
};

test('the container file copies what the server needs and only its own libraries', async () => {
  expect(readCopied()).toEqual(['package.json', 'domain', 'server']);
  expect(readLibraries()).not.toContain('node_modules/react');
  layImage();
  const settings = { PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'debug', DEMO: 'true' };
  server = runScript(join(folder, 'server/bin/start.ts'), ['--built'], settings);
  await server.waitForOutput('Press Ctrl+C');
  const port = Number(/"port":(?<port>\d+)/.exec(server.output())?.groups?.['port']);
  expect((await send(port, '/chat')).text).toContain('Replay Desk');
  const client = createCookieClient(port);
  expect((await client.signIn()).status).toBe(200);
  expect((await client.send('/api/realtime/token')).status).toBe(200);

  const check = async (variables: Readonly<Record<string, string>>) => {
    const probe = runScript(join(folder, 'server/bin/healthcheck.ts'), [], variables);
    probe.endInput();
    return probe.exited;
  };
  expect(await check({ PORT: String(port), HOST: '0.0.0.0' })).toBe(0);
  // A proxy for the services behind the server is none for the server itself.
  const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9' };
  expect(await check({ PORT: String(port), ...proxy })).toBe(0);
  server.kill('SIGTERM');
  expect(await server.exited).toBe(0);
  expect(await check({ PORT: String(port) })).toBe(1);
  expect(await check({ PORT: 'x' })).toBe(1);
});

test('the image has an unprivileged user, a health check and a volume', () => {
  for (const line of ['USER 1000', 'VOLUME /data', 'HEALTHCHECK ', 'server/bin/healthcheck.ts']) {
    expect(DOCKERFILE).toContain(line);
  }
  const stages = DOCKERFILE.match(/^FROM .*$/gm) ?? [];
  expect(stages).toHaveLength(3);
  for (const stage of stages) expect(stage).toMatch(/^FROM node:24-/);
});

test('the composed container has limits for memory and processes, and a read-only file system', () => {
  const compose = readFileSync('compose.yaml', 'utf8');
  for (const setting of [/^ {4}mem_limit: \d+[mg]$/m, /^ {4}pids_limit: [1-9]\d*$/m]) {
    expect(compose).toMatch(setting);
  }
  expect(compose).toMatch(/^ {4}read_only: true$/m);
});

test('the composed container has the settings of .env, except its address and data folder', () => {
  const compose = readFileSync('compose.yaml', 'utf8');
  expect(compose).toMatch(/^ {4}env_file:\n {6}- path: \.env\n {8}required: false$/m);
  // These have priority over the file (Compose: `environment` over `env_file`).
  const environment = /^ {4}environment:\n(?<lines>(?: {6}.*\n)+)/m.exec(compose)?.groups?.[
    'lines'
  ];
  for (const line of ['HOST: 0.0.0.0', "PORT: '4600'", 'DATA_DIR: /data']) {
    expect(environment).toContain(`      ${line}\n`);
  }
});

test('container and unit start the server like npm start, without the build', () => {
  const { scripts } = z
    .object({ scripts: z.object({ start: z.string() }) })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const command = JSON.parse(
    /^CMD (?<list>.*)$/m.exec(DOCKERFILE)?.groups?.['list'] ?? '',
  ) as string[];
  expect(command.join(' ')).toBe(`${scripts.start} --built`);
  const unit = readFileSync('docs/deploy/replay-desk.service', 'utf8');
  expect(unit).toContain(`/node_modules/.bin/${scripts.start} --built\n`);
});

test('the unit restarts the server for as long as it takes', () => {
  const unit = readFileSync('docs/deploy/replay-desk.service', 'utf8');
  const head = unit.slice(unit.indexOf('[Unit]'), unit.indexOf('[Service]'));
  expect(head).toContain('\nStartLimitIntervalSec=0\n');
  expect(unit).toContain('\nRestart=always\n');
});

test('the proxy tries the next instance when one refuses a connection', () => {
  const caddy = readFileSync('docs/deploy/Caddyfile', 'utf8');
  expect(caddy).toContain('\t\tlb_try_duration 5s\n');
  // With one address, a refused connection would make it unavailable after the server is back.
  expect(caddy).not.toContain('fail_duration');
});
