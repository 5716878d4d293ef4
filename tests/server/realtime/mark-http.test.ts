import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import {
  createRealtimeClient,
  createTestTokens,
  type RealtimeClient,
} from '#tests/support/server/realtime-client.ts';
import type { Answer } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

/** The common behaviour of the user log and the staff log. */

const REFUSALS = {
  own: 'A client has no user log.',
  staff: 'A client may not use the staff log.',
} as const;

let server: WebServer;
let tokens: ReturnType<typeof createTestTokens>;
let wire: RealtimeClient;

beforeAll(async () => {
  server = await startWebServer();
  tokens = createTestTokens(server.dataDir);
  wire = as(tokens.staff());
});
afterAll(() => server.dispose());

const as = (token: string): RealtimeClient => createRealtimeClient(server.port, token);

describe.each(['own', 'staff'] as const)('the %s log', (name) => {
  const post = (by: RealtimeClient, body: unknown): Promise<Answer> =>
    by.send(name, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
  const publish = async (by: RealtimeClient, id: string, payload: object): Promise<string> => {
    const answer = await post(by, { id, payload });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json()['timetoken'] as string;
  };
  const readPlaces = async (query: string): Promise<readonly string[]> => {
    const { entries } = (await wire.send(`${name}?${query}`)).json();
    return (entries as readonly { readonly timetoken: string }[]).map(({ timetoken }) => timetoken);
  };

  test('accepts exactly 32,768 bytes and refuses one more with 413', async () => {
    const first = await publish(wire, 'first', {});
    const text = 'x'.repeat(MESSAGE_BYTES_MAX - '{"t":""}'.length);
    await publish(wire, 'fits', { t: text });
    const over = await post(wire, { id: 'over', payload: { t: `${text}x` } });
    expect(over.status).toBe(413);
    expect(over.json()['error']).toMatch(/too large/);
    expect(await readPlaces(`after=${first}`)).toHaveLength(1);
  });

  test.each([
    ['', 'Expected {id, payload}.'],
    ['null', 'Expected {id, payload}.'],
    ['[]', 'Expected {id, payload}.'],
    ['{"id":', 'Expected {id, payload}.'],
    ['['.repeat(60_000), 'Expected {id, payload}.'],
    [{ payload: {} }, 'The entry has no id.'],
    [{ id: 7, payload: {} }, 'The entry has no id.'],
    [{ id: '', payload: {} }, 'The entry has no id.'],
    [{ id: 'i'.repeat(129), payload: {} }, 'The entry id is over 128 characters.'],
    [{ id: 'lone \uD800', payload: {} }, 'The entry id is not valid Unicode.'],
    [{ id: 'a' }, 'The payload must be a JSON object.'],
    [{ id: 'a', payload: null }, 'The payload must be a JSON object.'],
    [{ id: 'a', payload: [] }, 'The payload must be a JSON object.'],
    [{ id: 'a', payload: [{}] }, 'The payload must be a JSON object.'],
    [{ id: 'a', payload: 'text' }, 'The payload must be a JSON object.'],
    [
      `{"id":"a","payload":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
      'The payload is nested too deeply.',
    ],
  ])('refuses %j', async (body, text) => {
    const last = await publish(wire, 'last', {});
    const refused = await post(wire, body);
    expect([refused.status, refused.json()['error']]).toEqual([400, text]);
    expect(await readPlaces('count=1')).toEqual([last]);
  });

  test.each(['count=0', 'count=101', 'count=x', 'before=1', 'after=', 'bytes=0'])(
    'refuses %s',
    async (query) => {
      const refused = await wire.send(`${name}?${query}`);
      expect(refused.status).toBe(400);
      expect(refused.json()['error']).toMatch(/^\w+: expected a \w+/);
    },
  );

  test('requires a token of staff; a cookie or a client’s token is not enough', async () => {
    const body = { id: 'a', payload: {} };
    const forged = [as('forged'), as(tokens.staff('')), as(`${tokens.staff()}x`)];
    for (const by of forged) {
      expect((await by.send(name)).status).toBe(401);
      expect((await post(by, body)).status).toBe(401);
    }
    const client = as(tokens.client('c_016'));
    for (const refused of [await client.send(name), await post(client, body)]) {
      expect([refused.status, refused.json()['error']]).toEqual([403, REFUSALS[name]]);
    }
  });

  test('refuses other methods', async () => {
    const refused = await wire.send(name, { method: 'DELETE' });
    expect([refused.status, refused.headers['allow']]).toEqual([405, 'GET, HEAD, POST']);
  });
});
