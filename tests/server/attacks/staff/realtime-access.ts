import { createTokens } from '#server/realtime/token.ts';
import {
  createRealtimeClient,
  createTestTokens,
  type RealtimeClient,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { send } from '#tests/support/server/web-client.ts';

import { type Attack, inForms, under } from '../attack.ts';
import { COOKIE, type Target } from '../target.ts';

const HOUR_MS = 3_600_000;
const OWN = 'chat.c_009.general';
const OTHER = 'chat.c_010.general';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Every request to the engine, as a client of `OWN` would send it. */
const tryAll = async (client: RealtimeClient, channel: string): Promise<readonly number[]> => {
  const since = JSON.stringify({ since: { [channel]: '00000000000000000' } });
  const answers = await Promise.all([
    client.publish(channel, toMessage('not mine to say')),
    client.send(`history?channel=${encodeURIComponent(channel)}`),
    client.send('counts', { method: 'POST', body: since }),
    client.send('history', { method: 'POST', body: JSON.stringify({ channels: [channel] }) }),
  ]);
  return answers.map(({ status }) => status);
};

/** The results of the requests, and whether a stream opens. */
const tryToken = async ({ server }: Target, token: string): Promise<readonly number[]> => {
  const client = createRealtimeClient(server.port, token);
  const stream = await client.stream();
  stream.stop();
  return [...(await tryAll(client, OWN)), stream.status];
};

const forgedTokens = under(
  'a token',
  inForms<(target: Target) => Promise<string> | string>(
    [
      [
        'of an hour ago',
        ({ server }) => {
          const past = createTestTokens(server.dataDir, () => Date.now() - HOUR_MS);
          return past.client('c_009');
        },
      ],
      [
        'whose holder was changed',
        ({ tokens }) => {
          const [, signature = ''] = tokens.client('c_009').split('.');
          const expires = Date.now() + HOUR_MS;
          return `${encode({ kind: 'staff', uid: 'u_team', sid: 's', expires })}.${signature}`;
        },
      ],
      [
        'whose end was moved',
        ({ tokens }) => {
          const [body = '', signature = ''] = tokens.client('c_009').split('.');
          const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
          return `${encode({ ...claims, expires: Date.now() + HOUR_MS })}.${signature}`;
        },
      ],
      ['without its signature', ({ tokens }) => `${tokens.staff().split('.')[0]}.`],
      [
        'with an empty signature of a JSON web token',
        () => `${encode({ alg: 'none' })}.${encode({ kind: 'staff', uid: 'u_team' })}.`,
      ],
      ['signed with another secret', () => createTokens('x'.repeat(64)).forClient('c_009').token],
      ['that is the session’s cookie', ({ staff }) => staff.cookies.get(COOKIE) ?? ''],
      ['that is a token against forged posts', ({ staff }) => staff.getCsrfToken()],
      [
        'of a session that was signed out',
        async (target) => {
          const client = target.visitor();
          await client.signIn();
          const { token } = (await client.send('/api/realtime/token')).json();
          await client.post('/api/auth/signout');
          return String(token);
        },
      ],
    ],
    async (target, make) => tryToken(target, await make(target)),
    [401, 401, 401, 401, 401],
  ),
);

const missingTokens = inForms<(target: Target) => Readonly<Record<string, string>>>(
  [
    ['no token', () => ({})],
    [
      'a session instead of a token',
      ({ staff }) => ({
        cookie: `${COOKIE}=${staff.cookies.get(COOKIE)}`,
      }),
    ],
    ['a token of another scheme', ({ tokens }) => ({ authorization: `Basic ${tokens.staff()}` })],
    ['a token without a scheme', ({ tokens }) => ({ authorization: tokens.staff() })],
    ['a token under another name', ({ tokens }) => ({ 'x-access-token': tokens.staff() })],
  ],
  async (target, toHeaders) => {
    const headers = toHeaders(target);
    const { port } = target.server;
    const token = target.tokens.staff();
    const paths = [
      ['GET', `history?channel=${OWN}&token=${token}`],
      ['HEAD', `stream?access_token=${token}`],
    ] as const;
    const answers = await Promise.all(
      paths.map(([method, path]) => send(port, `/api/realtime/${path}`, { method, headers })),
    );
    return answers.map(({ status }) => status);
  },
  [401, 401],
);

const asClient = ({ server, tokens }: Target): RealtimeClient =>
  createRealtimeClient(server.port, tokens.client('c_009'));

const foreignRooms = under(
  'a client in',
  inForms<readonly [channel: string, statuses: readonly number[]]>(
    [
      ['another client’s room', [OTHER, [403, 403, 403, 403]]],
      ['a pattern of rooms', ['chat.*.general', [400, 400, 400, 400]]],
      ['two rooms at once', [`${OWN},${OTHER}`, [400, 400, 400, 400]]],
      ['one’s own room and something after it', [`${OWN}\n${OTHER}`, [400, 400, 400, 400]]],
      [
        'the way from one’s own room to another',
        ['chat.c_009.general/../../c_010.general', [400, 400, 400, 400]],
      ],
      ['a room that is none', ['constructor', [400, 400, 400, 400]]],
    ],
    async (target, [channel, expected]) => {
      const statuses = await tryAll(asClient(target), channel);
      return JSON.stringify(statuses) === JSON.stringify(expected) ? 'refused' : statuses;
    },
    'refused',
  ),
);

const asSomebodyElse: readonly Attack[] = [
  {
    title: 'a client that subscribes to the rooms of others',
    attempt: async (target) => {
      const stream = await asClient(target).stream();
      await stream.until('the first beat', ({ beats }) => beats.length > 0);
      const staff = createRealtimeClient(target.server.port, target.tokens.staff());
      await staff.publish(OTHER, toMessage('for c_010 alone'));
      await staff.publish(OWN, toMessage('for c_009'));
      await stream.until('the own message', ({ entries }) => entries.length > 0);
      stream.stop();
      return stream.entries.map(({ channel }) => channel);
    },
    outcome: [OWN],
  },
  {
    title: 'a client that publishes as staff',
    attempt: async (target) => {
      const client = asClient(target);
      const claims = { publisher: 'u_team', uuid: 'u_team', uid: 'u_team' };
      const message = { ...toMessage('forged'), ...claims };
      await client.send('publish?publisher=u_team&uuid=u_team', {
        method: 'POST',
        headers: { 'x-user': 'u_team' },
        body: JSON.stringify({ channel: OWN, message, ...claims }),
      });
      const [entry] = await client.history({ channel: OWN, count: '1' });
      return [entry?.message.text, entry?.publisher];
    },
    outcome: ['forged', 'client:c_009'],
  },
  {
    title: 'a publisher who reuses another’s message id to replace the text',
    attempt: async (target) => {
      const staff = createRealtimeClient(target.server.port, target.tokens.staff());
      const message = toMessage('the first');
      await staff.publish(OWN, message);
      await asClient(target).publish(OWN, { ...message, text: 'the second' });
      const last = await staff.history({ channel: OWN, count: '2' });
      return last.map(({ publisher, message: { text } }) => `${publisher}: ${text}`);
    },
    outcome: ['u_producer: the first', 'client:c_009: the second'],
  },
  {
    title: 'a client’s token exchanged for a staff token',
    attempt: async (target) => (await asClient(target).send('token')).status,
    outcome: 401,
  },
  {
    title: 'fields that reach into every object (prototype pollution)',
    attempt: async (target) => {
      const before = Object.getOwnPropertyNames(Object.prototype).length;
      const fields = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}';
      const message = `{"id":"polluted","text":"x",${fields}}`;
      const client = asClient(target);
      const body = `{"channel":"${OWN}","message":${message},${fields}}`;
      const stored = await client.send('publish', { method: 'POST', body });
      await client.send('counts', { method: 'POST', body: `{"since":{${fields}}}` });
      return [stored.status, Object.getOwnPropertyNames(Object.prototype).length - before].concat(
        'polluted' in {} ? 1 : 0,
      );
    },
    outcome: [200, 0, 0],
  },
];

/** Invented and reused tokens, other people's rooms and names. */
export const realtimeAccess: readonly Attack[] = [
  ...forgedTokens,
  ...missingTokens,
  ...foreignRooms,
  ...asSomebodyElse,
];
