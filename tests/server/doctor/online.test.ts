import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { parseConfig } from '#server/config/config.ts';
import { checkServices } from '#server/doctor/check-services.ts';
import { toTeams } from '#tests/support/scenes/hosted-server.ts';
import { startHostedEngine } from '#tests/support/scenes/hosted-scene.ts';
import {
  answerJson,
  type ProductApi,
  startProductApi,
} from '#tests/support/services/product-api.ts';
import type { PubnubEndpoint, PubnubEndpointOptions } from '#tests/support/pubnub/endpoint.ts';
import { answerRecorded, answerWith, mute, portal, reset } from '#tests/support/pubnub/faults.ts';
import { RECORDED_REFUSALS } from '#tests/support/pubnub/recorded-refusals.ts';

/**
 * The reports of `npm run doctor -- --online` about services; the engine's texts are recorded ones.
 */

let api: ProductApi;
let endpoint: PubnubEndpoint | undefined;
let settings: Readonly<Record<string, string>>;
beforeEach(async () => {
  api = await startProductApi();
  api.answer = answerJson({}, 401);
});
afterEach(async () => {
  await endpoint?.close();
  await api.close();
});

/** Starts an engine with this keyset; returns the settings of a server that uses it. */
const startEngine = async (options: PubnubEndpointOptions = {}): Promise<PubnubEndpoint> => {
  const started = await startHostedEngine(options);
  const { DEMO: _demo, ...env } = started.env;
  ({ endpoint } = started);
  settings = { API_BASE_URL: api.url, AUTH_SECRET: 's'.repeat(32), ...env };
  return endpoint;
};

/** The doctor's report on the services, a line per finding. */
const examine = async (more: Readonly<Record<string, string>> = {}): Promise<string> => {
  const config = parseConfig({ ...settings, ...more });
  if (!config.ok) throw new Error(config.error.join('\n'));
  const findings = await checkServices(config.value);
  return findings.map(({ state, name, text }) => `${state} ${name}: ${text}`).join('\n');
};

const pick = (text: string, state: 'bad' | 'note'): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith(`${state} `));

describe('a complete service', () => {
  test('passes, including a round trip of a message, and nothing is stored', async () => {
    const { log, access } = await startEngine();
    const text = await examine();
    expect(text).toMatch(/ok api: .*answers 401 without a token, as it should/);
    expect(text).toMatch(/ok engine: .*clocks agree/);
    expect(text).toMatch(/ok access: a one-minute token was granted/);
    expect(text).toMatch(/ok messages: a test message came back/);
    expect(text).toMatch(/ok history: Message Persistence is on/);
    expect(text).toMatch(/ok wildcards: on/);
    expect(text).toMatch(/ok tokens: revoked at sign-out/);
    expect([...pick(text, 'bad'), ...pick(text, 'note')]).toEqual([]);
    expect(text).not.toContain(settings['PUBNUB_SECRET_KEY']);
    expect(log.messages.filter(({ isPassing }) => !isPassing)).toEqual([]);
    expect(access.countLive()).toBe(0);
  });

  test('causes a note with intentionally open rooms', async () => {
    await startEngine({ needsToken: false });
    api.answer = answerJson(toTeams('c_001'));
    const open = { PUBNUB_SECRET_KEY: '', PUBNUB_OPEN_CHANNELS: 'true' };
    const text = await examine(open);
    expect(pick(text, 'bad')).toEqual([]);
    expect(text).toMatch(/note api: .*answers without a token: is that intended\?/);
    expect(text).toMatch(/note access: open: anyone with the two public keys/);
  });
});

describe('a wrong key', () => {
  test.each([
    ['PUBNUB_SUBSCRIBE_KEY', 'bad keys: the engine does not know PUBNUB_SUBSCRIBE_KEY'],
    [
      'PUBNUB_SECRET_KEY',
      'bad keys: PUBNUB_SECRET_KEY or PUBNUB_PUBLISH_KEY does not belong to this keyset',
    ],
    [
      'PUBNUB_PUBLISH_KEY',
      'bad keys: PUBNUB_SECRET_KEY or PUBNUB_PUBLISH_KEY does not belong to this keyset',
    ],
  ])('in %s is named, and nothing else', async (name, finding) => {
    await startEngine();
    const text = await examine({ [name]: 'wrong-key' });
    expect(pick(text, 'bad')).toEqual([expect.stringContaining(finding)]);
  });

  test('for publishing is named alone if the service checks it before the token', async () => {
    const { faults } = await startEngine();
    faults.break('publish', answerRecorded(RECORDED_REFUSALS.wrongPublishKey));
    const text = await examine({ PUBNUB_PUBLISH_KEY: 'wrong-key' });
    expect(pick(text, 'bad')).toEqual([
      expect.stringContaining('keys: PUBNUB_PUBLISH_KEY does not belong'),
    ]);
  });

  test('for publishing is named if the rooms are open', async () => {
    await startEngine({ needsToken: false });
    const open = { PUBNUB_SECRET_KEY: '', PUBNUB_OPEN_CHANNELS: 'true' };
    const text = await examine({ ...open, PUBNUB_PUBLISH_KEY: 'wrong-key' });
    expect(pick(text, 'bad')).toEqual([
      expect.stringContaining('PUBNUB_PUBLISH_KEY does not belong'),
    ]);
  });

  test('is a missing one if the rooms need tokens', async () => {
    await startEngine();
    const text = await examine({ PUBNUB_SECRET_KEY: '', PUBNUB_OPEN_CHANNELS: 'true' });
    expect(pick(text, 'bad')).toEqual([
      expect.stringContaining('the rooms require tokens: set PUBNUB_SECRET_KEY'),
    ]);
  });
});

describe('a missing feature', () => {
  test('is reported: Message Persistence', async () => {
    await startEngine({ persists: false });
    const text = await examine();
    expect(pick(text, 'bad')).toEqual([expect.stringContaining('Message Persistence is off')]);
  });

  test('is reported: Access Manager', async () => {
    await startEngine({ needsToken: false });
    const text = await examine();
    expect(pick(text, 'bad')).toEqual([expect.stringContaining('the Access Manager is off')]);
  });

  test('is only a note: wildcards, which not every installation needs', async () => {
    await startEngine({ hasWildcards: false });
    const text = await examine();
    expect(pick(text, 'note')).toEqual([expect.stringContaining('(Stream Controller may be off)')]);
  });

  test('is only a note: wildcards, which a template with more than two dots does not allow', async () => {
    await startEngine({ hasWildcards: false });
    const text = await examine({ CHANNEL_TEMPLATE: 'a.b.{cid}.{rid}' });
    expect(pick(text, 'bad')).toEqual([]);
    expect(pick(text, 'note')).toEqual([
      expect.stringContaining('wildcards: not possible with this CHANNEL_TEMPLATE'),
    ]);
  });

  test('is only a note: revocation, which limits the use of a copied token', async () => {
    await startEngine({ revokes: false });
    const text = await examine();
    expect(pick(text, 'note')).toEqual([expect.stringContaining('"Revoke v3 Token"')]);
  });

  test('is reported: wildcards for a template that is too deep', async () => {
    await startEngine();
    const text = await examine({ CHANNEL_TEMPLATE: 'eu.prod.{cid}.{rid}' });
    expect(pick(text, 'bad')).toEqual([expect.stringContaining('too many dots for wildcards')]);
  });
});

describe('a wrong answer', () => {
  test.each([
    ['a captive portal', portal()],
    ['the page of a proxy', portal(502)],
    ['another service', answerWith('{"hello":"world"}', 'application/json')],
    ['text', answerWith('pong', 'text/plain')],
  ])('from %s is distinguished from a wrong key', async (_what, fault) => {
    const { faults } = await startEngine();
    faults.break('time', fault);
    const text = await examine();
    expect(pick(text, 'bad')).toEqual([
      expect.stringMatching(
        /^bad engine: .*is answered by something else .*a proxy, a captive portal/,
      ),
    ]);
  });

  test('is reported if it concerns the rooms only', async () => {
    const { faults } = await startEngine();
    faults.break('history', portal(403));
    const text = await examine();
    expect(pick(text, 'bad')).toEqual([expect.stringContaining('is answered by something else')]);
  });

  test('is reported if it concerns the grant only', async () => {
    const { faults } = await startEngine();
    faults.break('grant', portal());
    const text = await examine();
    expect(pick(text, 'bad')).toEqual([expect.stringContaining('is answered by something else')]);
  });

  test('is reported if a clock is an hour off', async () => {
    const { faults } = await startEngine();
    faults.break('time', answerWith(`[${(Date.now() + 3_600_000) * 10_000}]`));
    const text = await examine();
    expect(pick(text, 'bad')).toEqual([expect.stringContaining('s off, so grants are refused')]);
  });

  test('is reported if another API sends it', async () => {
    await startEngine();
    api.answer = answerJson({ hello: 'world' });
    const text = await examine();
    expect(pick(text, 'bad')).toEqual([
      expect.stringContaining('does not answer with a list of clients'),
    ]);
  });
});

describe('a missing answer', () => {
  test.each([
    ['a cut connection', reset, 'cannot be reached'],
    ['silence', mute, 'does not answer in time'],
  ])('is reported: %s', async (_what, fault, words) => {
    const { faults } = await startEngine();
    faults.break('time', fault);
    const text = await examine();
    expect(pick(text, 'bad')).toEqual([expect.stringContaining(words)]);
  });
});
