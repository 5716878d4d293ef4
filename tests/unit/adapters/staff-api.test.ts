import { afterEach, beforeEach, expect, test } from 'vitest';

import { createPublicConfig } from '#src/adapters/http/public-config.ts';
import type { Web } from '#src/adapters/http/request-json.ts';
import { createStaffApi } from '#src/adapters/http/staff-api.ts';
import {
  type ScriptedEndpoint,
  sendHtml,
  sendJson,
  startScriptedEndpoint,
} from '#tests/support/services/scripted-endpoint.ts';
import { TEST_MS_MAX } from '#tests/support/wait-for.ts';

const ME = { uid: 'u_mé' };
const never = new AbortController().signal;
const MAYA = { client_id: 'c_001', client: { first_name: 'Maya', last_name: 'Okafor' } };
const CONFIG = { version: '1.0.0', demo: true, engine: 'embedded', channelTemplate: '{cid}.{rid}' };

let endpoint: ScriptedEndpoint;
let web: Web;
beforeEach(async () => {
  endpoint = await startScriptedEndpoint();
  web = { origin: endpoint.origin, fetch, timeoutMs: TEST_MS_MAX };
});
afterEach(() => endpoint.close());

test('teams drop only malformed entries', async () => {
  endpoint.on('/api/proxy/staff/teams', sendJson([null, MAYA, { client_id: '../x' }]));
  expect(await createStaffApi(web, ME).getTeams(never)).toEqual({ ok: true, value: [MAYA] });
});

test('teams of another shape are an error', async () => {
  endpoint.on('/api/proxy/staff/teams', sendJson({ teams: [MAYA] }));
  const error = { kind: 'malformed', detail: '/api/proxy/staff/teams' };
  expect(await createStaffApi(web, ME).getTeams(never)).toEqual({ ok: false, error });
});

test('producers are read', async () => {
  endpoint.on('/api/proxy/staff/producers', sendJson([{ uid: 'u_1', name: 'Ann' }, 5]));
  const value = [{ uid: 'u_1', name: 'Ann' }];
  expect(await createStaffApi(web, ME).getProducers(never)).toEqual({ ok: true, value });
});

test.each([
  ['an error', sendJson({ error: 'x' }, 502)],
  ['a portal page', sendHtml()],
])('producers are unknown after %s', async (_title, handler) => {
  endpoint.on('/api/proxy/staff/producers', handler);
  expect((await createStaffApi(web, ME).getProducers(never)).ok).toBe(false);
});

test('producers of another shape are an empty list', async () => {
  endpoint.on('/api/proxy/staff/producers', sendJson({}));
  expect(await createStaffApi(web, ME).getProducers(never)).toEqual({ ok: true, value: [] });
});

test.each(['getTeams', 'getProducers'] as const)(
  '%s names the user whom the list is for',
  async (method) => {
    const seen: unknown[] = [];
    for (const list of ['teams', 'producers']) {
      endpoint.on(`/api/proxy/staff/${list}`, (request, response) => {
        seen.push(request.headers['x-user']);
        return sendJson([])(request, response);
      });
    }
    await createStaffApi(web, ME)[method](never);
    expect(seen).toEqual([encodeURIComponent(ME.uid)]);
  },
);

test('public settings are requested once', async () => {
  endpoint.on('/api/config', sendJson(CONFIG));
  const config = createPublicConfig(web);
  const answers = await Promise.all([config.get(), config.get()]);
  const expected = { ok: true, value: CONFIG };
  expect([...answers, await config.get()]).toEqual([expected, expected, expected]);
  expect(endpoint.requests).toHaveLength(1);
});

test('public settings are requested again after a failure', async () => {
  endpoint.on('/api/config', sendHtml());
  const config = createPublicConfig(web);
  expect(await config.get()).toEqual({ ok: false, error: { kind: 'unreachable' } });
  endpoint.on('/api/config', sendJson(CONFIG));
  expect(await config.get()).toEqual({ ok: true, value: CONFIG });
});
