import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createDeniedSessions } from '#server/denied/denied-sessions.ts';
import type { Denial } from '#server/denied/denied-store.ts';
import { createFolderDeniedStore } from '#server/denied/sign-out-folder.ts';
import { createLog } from '#server/kernel/log.ts';
import { type HostedServer, startHostedServer } from '#tests/support/scenes/hosted-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { type CookieClient, createCookieClient } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const TEAMS = '/api/proxy/staff/teams';

let folder: string;
let backend: HostedServer;
let first: WebServer;
let second: WebServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'replay-desk-sign-outs-'));
  backend = await startHostedServer();
  const settings = backend.toSettings({ SIGN_OUT_DIR: join(folder, 'list') });
  first = await startWebServer(settings);
  second = await startWebServer(settings);
});
afterAll(async () => {
  await second.dispose();
  await first.dispose();
  await backend.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const copyOf = (client: CookieClient, port: number): CookieClient => {
  const copy = createCookieClient(port);
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  return copy;
};

describe('two servers that share a list of sign-outs', () => {
  test('refuse a copied cookie on either one, and after a restart', async () => {
    const client = await backend.signIn(first.port);
    const copy = copyOf(client, second.port);
    const late = copyOf(client, second.port);
    expect((await copy.send(TEAMS)).status).toBe(200);
    await client.post('/api/auth/signout');
    await waitFor('the other one to refuse the session', async () => {
      return (await copy.send(TEAMS)).status === 401;
    });
    second = await second.restart();
    expect((await late.send(TEAMS)).status).toBe(401);
  });

  test('continue without it, log that once, and read everything when it is back', async () => {
    const client = await backend.signIn(first.port);
    const copy = copyOf(client, second.port);
    renameSync(join(folder, 'list'), join(folder, 'gone'));
    await waitFor('a word about it', () =>
      second.log().includes('the shared list of sign-outs cannot be read'),
    );
    expect((await copy.send(TEAMS)).status).toBe(200);
    renameSync(join(folder, 'gone'), join(folder, 'list'));
    await client.post('/api/auth/signout');
    await waitFor('the other one to refuse the session', async () => {
      return (await copy.send(TEAMS)).status === 401;
    });
    expect(second.log().split('cannot be read')).toHaveLength(2);
  });

  test('write what the folder has lost, so that a new server refuses the copy', async () => {
    const client = await backend.signIn(first.port);
    const copy = copyOf(client, second.port);
    await client.post('/api/auth/signout');
    await waitFor('the other one to refuse the session', async () => {
      return (await copyOf(client, second.port).send(TEAMS)).status === 401;
    });
    const list = join(folder, 'list');
    const before = readdirSync(list);
    for (const name of before) rmSync(join(list, name));
    await waitFor('the sign-outs in the folder', () => readdirSync(list).length === before.length);
    expect(readdirSync(list).toSorted()).toEqual(before.toSorted());
    second = await second.restart();
    expect((await copy.send(TEAMS)).status).toBe(401);
  });

  test('sign out while it is gone and create it again, and the other one refuses the copy', async () => {
    const client = await backend.signIn(first.port);
    const copy = copyOf(client, second.port);
    rmSync(join(folder, 'list'), { recursive: true });
    const answer = await client.post('/api/auth/signout');
    expect(answer.status).toBe(200);
    expect(client.cookies.has('replay-desk.session')).toBe(false);
    await waitFor('the other one to refuse it', async () => {
      return (await copy.send(TEAMS)).status === 401;
    });
  });

  test('sign out while nothing can be written there, and deliver it later', async () => {
    const client = await backend.signIn(first.port);
    const copy = copyOf(client, second.port);
    rmSync(join(folder, 'list'), { recursive: true, force: true });
    writeFileSync(join(folder, 'list'), 'in the way');
    const answer = await client.post('/api/auth/signout');
    expect(answer.status).toBe(200);
    expect(client.cookies.has('replay-desk.session')).toBe(false);
    expect(first.log()).toContain('a sign-out could not be shared yet');
    expect((await copy.send(TEAMS)).status).toBe(200);
    rmSync(join(folder, 'list'));
    await waitFor('the other one to refuse it', async () => {
      return (await copy.send(TEAMS)).status === 401;
    });
  });
});

describe('the folder', () => {
  let list: string;
  beforeEach(() => {
    list = mkdtempSync(join(folder, 'own-'));
  });

  test('drops expired entries, and keeps foreign files', async () => {
    const NOW = 1_700_000_000_000;
    const old = `${randomUUID()}.${NOW - 1000}`;
    const foreign = ['core.4711', 'notes.txt', 'syslog.1'];
    for (const name of [old, ...foreign]) writeFileSync(join(list, name), '');
    const log = createLog('silent');
    const store = createFolderDeniedStore(list, () => NOW, log);
    const denied = createDeniedSessions(store, { now: () => NOW, log });
    const sid = randomUUID();
    await store.add([sid, NOW + 1000.5]);
    await waitFor('the look', () => denied.has(sid) && !readdirSync(list).includes(old));
    expect(readdirSync(list).toSorted()).toEqual([`${sid}.${NOW + 1000}`, ...foreign].toSorted());
    await denied.close();
  });

  test('is read repeatedly at little cost', () => {
    const COUNT = 2000;
    const denials = Array.from({ length: COUNT }, (_, at) => [`sid-${at}`, 3000] as const);
    let notify: (denial: Denial) => void = () => undefined;
    const follow = (onDenial: typeof notify) => {
      notify = onDenial;
      return () => undefined;
    };
    let looks = 0;
    const denied = createDeniedSessions(
      { load: () => denials, add: async () => undefined, follow },
      {
        log: createLog('silent'),
        now: () => {
          looks += 1;
          return 2000;
        },
      },
    );
    for (const denial of denials) notify(denial);
    expect(looks).toBeLessThan(COUNT);
    notify(['new', 3000]);
    expect(denied.has('new')).toBe(true);
  });

  test('stops the start if it cannot be created', async () => {
    writeFileSync(join(list, 'file'), '');
    const settings = backend.toSettings({ SIGN_OUT_DIR: join(list, 'file', 'list') });
    await expect(startWebServer(settings)).rejects.toThrow('SIGN_OUT_DIR');
  });

  test.runIf(existsSync('/proc/self'))('stops the start if it cannot be written', async () => {
    const settings = backend.toSettings({ SIGN_OUT_DIR: '/proc/self' });
    await expect(startWebServer(settings)).rejects.toThrow('SIGN_OUT_DIR');
  });

  test('contains nothing but sign-outs after the start', async () => {
    const web = await startWebServer(backend.toSettings({ SIGN_OUT_DIR: join(list, 'new') }));
    expect(readdirSync(join(list, 'new'))).toEqual([]);
    await web.dispose();
  });
});
