import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { parseConfig } from '#server/config/config.ts';
import { startHostedServer } from '#tests/support/scenes/hosted-server.ts';
import {
  createRealtimeClient,
  createTestTokens,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { type Answer, createCookieClient, send } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const METRICS_TOKEN = 'a-token-of-the-test-0001';
const PATH = '/api/metrics';
const CHANNEL = 'chat.c_002.team';

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>[^}]*)\})? (?<value>\S+)$/;
const LABEL = /(?<name>[a-zA-Z_]\w*)="(?<value>(?:[^"\\]|\\.)*)"/g;
const COMMENT = /^# (?:HELP|TYPE) [a-zA-Z_:][\w:]* ./;

/** Parses the text exposition format, version 0.0.4; throws on an invalid line. */
const parseMetrics = (text: string): ReadonlyMap<string, readonly Sample[]> => {
  const samples = new Map<string, Sample[]>();
  for (const line of text.split('\n').filter((one) => one !== '')) {
    if (line.startsWith('#')) {
      if (!COMMENT.test(line)) throw new Error(line);
      continue;
    }
    const { name = '', labels = '', value = '' } = SAMPLE.exec(line)?.groups ?? {};
    // The library writes Nan; Prometheus accepts it in any case.
    const number = value === '+Inf' ? Infinity : Number(value);
    if (name === '' || (Number.isNaN(number) && !/^nan$/i.test(value))) throw new Error(line);
    const pairs = [...labels.matchAll(LABEL)].map(({ groups }) => [
      groups!['name'],
      groups!['value'],
    ]);
    samples.set(name, [
      ...(samples.get(name) ?? []),
      { labels: Object.fromEntries(pairs) as Record<string, string>, value: number },
    ]);
  }
  return samples;
};

const ask = (server: Pick<WebServer, 'port'>, authorization?: string): Promise<Answer> =>
  send(server.port, PATH, authorization === undefined ? {} : { headers: { authorization } });

const read = async (server: Pick<WebServer, 'port'>) => {
  const samples = parseMetrics((await ask(server, `Bearer ${METRICS_TOKEN}`)).text);
  return {
    names: [...samples.keys()],
    samples: (name: string) => samples.get(name) ?? [],
    value: (name: string, labels: Readonly<Record<string, string>> = {}): number | undefined =>
      samples
        .get(name)
        ?.find((sample) =>
          Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
        )?.value,
  };
};

let server: WebServer;

describe('the metrics with the embedded engine', () => {
  beforeEach(async () => {
    server = await startWebServer({ METRICS_TOKEN });
  });
  afterEach(() => server.dispose());

  test('require the token', async () => {
    const wrong = [undefined, 'Bearer', `Bearer ${METRICS_TOKEN}x`, 'Bearer x', METRICS_TOKEN];
    const answers = await Promise.all(wrong.map((authorization) => ask(server, authorization)));
    expect(answers.map(({ status }) => status)).toEqual(wrong.map(() => 401));
    expect(answers.map(({ headers }) => headers['www-authenticate'])).toEqual(
      wrong.map(() => 'Bearer'),
    );
    expect(answers[0]?.json()).toEqual({ error: 'Expected the metrics token' });
    const right = await ask(server, `Bearer ${METRICS_TOKEN}`);
    expect(right.status).toBe(200);
    expect(right.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(right.headers['cache-control']).toBe('no-store');
  });

  test("count requests by route pattern, never by a stranger's path", async () => {
    const paths = [
      '/api/nothing',
      '/api/else?a=b',
      '/assets/main-abc123.js',
      '/chat/c_001',
      '/x%22%5Cy',
    ];
    for (const path of paths) await send(server.port, path);
    await send(server.port, '/api/config');
    await send(server.port, '/api/auth/callback/github', { method: 'POST' });
    await send(server.port, '/api/nothing', { method: 'PROPFIND' });
    await send(server.port, '/api/sessions/x', { method: 'DELETE' });
    const { samples, value } = await read(server);
    const name = 'replay_desk_requests_total';
    const count = (method: string, route: string, status: string) =>
      value(name, { method, route, status });
    expect(count('GET', '/api/*', '404')).toBe(2);
    expect(count('other', '/api/*', '404')).toBe(1);
    expect(count('DELETE', '/api/sessions/:handle', '401')).toBe(1);
    expect(count('GET', 'page', '200')).toBe(3);
    expect(count('GET', '/api/config', '200')).toBe(1);
    expect(count('POST', '/api/auth/callback/:provider?', '400')).toBe(1);
    const routes = new Set(samples(name).map(({ labels }) => labels['route']));
    expect(
      [...routes].filter((route) => /nothing|else|abc123|c_001|github|22|"/.test(route!)),
    ).toEqual([]);
  });

  test('show open streams, publishes and commit times', async () => {
    const staff = createRealtimeClient(server.port, createTestTokens(server.dataDir).staff());
    const streams = await Promise.all([staff.stream(), staff.stream()]);
    await Promise.all(streams.map((one) => one.until('a beat', ({ beats }) => beats.length > 0)));
    await staff.publish(CHANNEL, toMessage('one'));
    await staff.publish(CHANNEL, toMessage('two'));
    await staff.publish(CHANNEL, { text: 'without an id' });
    const before = await read(server);
    expect(before.value('replay_desk_open_streams')).toBe(2);
    expect(before.value('replay_desk_publishes_total', { outcome: 'stored' })).toBe(2);
    expect(before.value('replay_desk_publishes_total', { outcome: 'refused' })).toBe(1);
    expect(before.value('replay_desk_commit_seconds_count')).toBe(2);
    expect(before.value('replay_desk_commit_seconds_bucket', { le: '+Inf' })).toBe(2);
    for (const stream of streams) stream.stop();
    await expect.poll(async () => (await read(server)).value('replay_desk_open_streams')).toBe(0);
  });

  test('show sign-ins by outcome, denied sessions, the database and the process', async () => {
    const client = createCookieClient(server.port);
    await client.signIn('producer@example.com', 'wrong');
    await client.signIn();
    await client.post('/api/auth/signout');
    const { value } = await read(server);
    expect(value('replay_desk_sign_ins_total', { outcome: 'refused' })).toBe(1);
    expect(value('replay_desk_sign_ins_total', { outcome: 'succeeded' })).toBe(1);
    expect(value('replay_desk_denied_sessions')).toBe(1);
    expect(value('replay_desk_database_bytes')).toBeGreaterThan(50_000);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect(value('replay_desk_build_info')).toBe(1);
  });

  test('count faults of this server only, each with a line of level 50', async () => {
    const client = createCookieClient(server.port);
    await client.signIn();
    await client.send('/api/nothing');
    expect((await read(server)).value('replay_desk_faults_total')).toBe(0);
    const sql = new DatabaseSync(join(server.dataDir, 'desk.sqlite'));
    sql.exec('DROP TABLE client');
    sql.close();
    expect((await client.send('/api/proxy/staff/teams')).status).toBe(500);
    expect((await read(server)).value('replay_desk_faults_total')).toBe(1);
    expect(server.log()).toMatch(/"level":50.*"msg":"request"/);
  });

  test('start with a value for every series', async () => {
    const { value } = await read(server);
    for (const outcome of ['succeeded', 'refused', 'limited', 'rejected', 'failed']) {
      expect(value('replay_desk_sign_ins_total', { outcome })).toBe(0);
    }
    expect(value('replay_desk_publishes_total', { outcome: 'failed' })).toBe(0);
    expect(value('replay_desk_open_streams')).toBe(0);
    expect(value('replay_desk_faults_total')).toBe(0);
  });
});

test('every alert reads metrics that exist, and no series that a first event creates', async () => {
  server = await startWebServer({ METRICS_TOKEN });
  await send(server.port, '/api/health');
  const { names } = await read(server);
  const rules = readFileSync('docs/operation.md', 'utf8').match(/^ {8}expr: .*$/gm) ?? [];
  expect(rules.length).toBeGreaterThan(5);
  for (const rule of rules) {
    const used = rule.match(/\breplay_desk_\w+/g) ?? [];
    expect(names).toEqual(expect.arrayContaining([...used]));
    expect(rule).not.toMatch(/increase\(replay_desk_requests_total/);
  }
  await server.dispose();
});

test('without a token the path does not exist', async () => {
  server = await startWebServer();
  const answer = await ask(server, 'Bearer ');
  expect([answer.status, answer.json()]).toEqual([404, { error: 'Not found' }]);
  await server.dispose();
});

test('in fully hosted mode only the available metrics appear', async () => {
  const backend = await startHostedServer();
  server = await startWebServer(backend.toSettings({ METRICS_TOKEN }));
  await backend.signIn(server.port);
  const { names, value } = await read(server);
  expect(value('replay_desk_sign_ins_total', { outcome: 'succeeded' })).toBe(1);
  expect(value('replay_desk_denied_sessions')).toBe(0);
  expect(names.filter((name) => /stream|publish|commit|database/.test(name))).toEqual([]);
  await server.dispose();
  await backend.dispose();
});

test.each(['short', 'with a space in the middle', 'ünïcödé-of-sixteen-plus'])(
  'METRICS_TOKEN %j stops the start and is not shown',
  (token) => {
    const config = parseConfig({ METRICS_TOKEN: token });
    expect(config.ok).toBe(false);
    const text = config.ok ? '' : config.error.join('\n');
    expect(text).toContain('METRICS_TOKEN');
    expect(text).toContain('16');
    expect(text).not.toContain(token);
  },
);
