import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type HostedServer, startHostedServer } from '#tests/support/scenes/hosted-server.ts';
import { answerJson } from '#tests/support/services/product-api.ts';
import type { CookieClient } from '#tests/support/server/web-client.ts';

const TEAMS = '/api/proxy/staff/teams';
const PRODUCERS = '/api/proxy/staff/producers';
const MAYA = { client_id: 'c_1', client: { first_name: 'Maya', last_name: 'Okafor' } };
const BO = { client_id: 'c_2', client: { first_name: 'Bo', last_name: 'Li' } };

let backend: HostedServer;
let client: CookieClient;
beforeAll(async () => {
  backend = await startHostedServer();
  client = await backend.signIn();
});
afterAll(() => backend.dispose());

const read = async (path: string, value: unknown): Promise<unknown> => {
  backend.api.answer = answerJson(value);
  const answer = await client.send(path);
  return answer.status === 200 ? answer.json() : answer.status;
};

describe('teams', () => {
  test('can be an empty list', async () => {
    expect(await read(TEAMS, [])).toEqual([]);
  });

  test('contain only the fields of the specification', async () => {
    const stated = { ...MAYA, iban: 'DE1', client: { ...MAYA.client, phone: '555' } };
    expect(await read(TEAMS, [stated])).toEqual([MAYA]);
  });

  test('may have numbers as ids and lack names', async () => {
    expect(
      await read(TEAMS, [{ client_id: 7, client: { first_name: 'Bo', last_name: null } }]),
    ).toEqual([{ client_id: '7', client: { first_name: 'Bo', last_name: '' } }]);
  });

  test('leave out an id that is not an exact number: it would name another client', async () => {
    backend.api.answer = (_incoming, outgoing) => {
      const [exact, rounded] = ['9007199254740991', '9007199254740993'].map(
        (id) => `{"client_id":${id},"client":{"first_name":"Bo","last_name":""}}`,
      );
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(`[${exact},${rounded}]`);
    };
    const answer = await client.send(TEAMS);
    expect(answer.json()).toMatchObject([{ client_id: '9007199254740991' }]);
  });

  test('contain a person with one usable id of two', async () => {
    backend.api.answer = (_incoming, outgoing) => {
      const people = '[{"uid":"u_1","id":9007199254740993,"name":"Ann"}]';
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(people);
    };
    expect((await client.send(PRODUCERS)).json()).toMatchObject([{ uid: 'u_1', name: 'Ann' }]);
  });

  test('list a client once', async () => {
    expect(await read(TEAMS, [MAYA, { ...BO, client_id: 'c_1' }, BO])).toEqual([MAYA, BO]);
  });

  test.each([
    ['null', null],
    ['a text', 'c_3'],
    ['without an id', { client: MAYA.client }],
    ['without a client', { client_id: 'c_3' }],
    ['with a hostile id', { client_id: 'c_3|.*', client: MAYA.client }],
    ['with a path for an id', { client_id: '../admin', client: MAYA.client }],
    ['with an endless id', { client_id: 'c'.repeat(65), client: MAYA.client }],
    ['with an object for a name', { client_id: 'c_3', client: { first_name: {}, last_name: '' } }],
  ])('%s is omitted among valid ones, and the omission is logged', async (_what, entry) => {
    expect(await read(TEAMS, [MAYA, entry, BO])).toEqual([MAYA, BO]);
    expect(backend.server.log()).toContain('"dropped":1');
  });

  test.each([
    ['an object', { teams: [MAYA] }],
    ['null', null],
    ['a number', 3],
    ['a list of something else', [{ id: 1, title: 'x' }]],
  ])('%s does not match the specification', async (_what, value) => {
    expect(await read(TEAMS, value)).toBe(502);
    expect(backend.server.log()).toContain('"reason":"malformed"');
  });
});

describe('producers', () => {
  test('have an id and a name, whatever their fields are called', async () => {
    const stated = [
      { uid: 'u_1', name: 'Ana', salary: 1 },
      { id: 2, first_name: 'Bo', last_name: 'Li' },
    ];
    expect(await read(PRODUCERS, stated)).toEqual([
      { uid: 'u_1', name: 'Ana' },
      { uid: '2', name: 'Bo Li' },
    ]);
  });

  test('are listed whatever the type of their other fields', async () => {
    const stated = { uid: 'u_1', name: 'Ana', email: 7, image: {}, role: [], last_name: 7 };
    expect(await read(PRODUCERS, [stated])).toEqual([{ uid: 'u_1', name: 'Ana' }]);
  });

  test('are omitted without an id or a name', async () => {
    expect(
      await read(PRODUCERS, [{ uid: 'u_1' }, { name: 'Bo' }, { uid: 'u_2', name: 'Ana' }]),
    ).toEqual([{ uid: 'u_2', name: 'Ana' }]);
  });

  test('result in a 502 if they have another shape', async () => {
    expect(await read(PRODUCERS, { producers: [] })).toBe(502);
    expect(await read(PRODUCERS, [1, 2])).toBe(502);
  });
});
