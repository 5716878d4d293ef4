import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

import { describe, expect, test } from 'vitest';

import { renderEnvExample, renewTable } from '#tests/support/write-config-docs.ts';
import { fail } from '#domain/result.ts';
import { toSubscription } from '#domain/rules/subscription.ts';
import { VARIABLES, type VariableDocs } from '#server/config/schema.ts';
import { parseConfig } from '#server/config/config.ts';

import { problemsOf } from './parse.ts';

// If one of these fails, run: node tests/support/write-config-docs.ts

test('.env.example matches the schema', () => {
  expect(readFileSync('.env.example', 'utf8')).toBe(renderEnvExample());
});

test('the table of settings matches the schema', () => {
  const settings = readFileSync('docs/settings.md', 'utf8');
  expect(renewTable(settings)).toBe(settings);
  for (const { name } of VARIABLES) expect(settings).toContain(`| \`${name}\` |`);
});

test('a document without the markers is unchanged', () => {
  expect(renewTable('# Title\n')).toBe('# Title\n');
});

/** All examples without one of the two ways to share sign-outs, which exclude each other. */
const examplesWithout = (left: string, toValue: (docs: VariableDocs) => string) =>
  Object.fromEntries(
    VARIABLES.filter(({ name }) => name !== left).map(({ name, docs }) => [name, toValue(docs)]),
  );

describe.each(['SIGN_OUT_DIR', 'SHARED_STORE_URL'])('the examples without %s', (left) => {
  test('are valid values, once the secrets differ from the published ones', () => {
    const values = examplesWithout(left, ({ example, secret }) =>
      secret ? example.replace(/.$/, '1') : example,
    );
    expect(parseConfig(values)).toMatchObject({ ok: true });
  });

  test('are refused as secrets, without being repeated', () => {
    const parsed = parseConfig(examplesWithout(left, ({ example }) => example));
    const secrets = VARIABLES.filter(({ name, docs }) => docs.secret && name !== left);
    const problem = 'has a published value, which anyone can read: set a secret of your own';
    expect(parsed).toEqual(fail(secrets.map(({ name }) => `${name} ${problem}`)));
  });
});

test.each(['AUTH_SECRET', 'AUTH_SECRET_PREVIOUS', 'METRICS_TOKEN', 'PUBNUB_SECRET_KEY'])(
  '%s is refused with the example of another variable',
  (name) => {
    const examples = new Map(VARIABLES.map(({ name: own, docs }) => [own, docs.example]));
    const other = name === 'AUTH_SECRET' ? 'AUTH_SECRET_PREVIOUS' : 'AUTH_SECRET';
    for (const from of [other, 'METRICS_TOKEN', 'API_BASE_URL']) {
      const settings = { AUTH_SECRET: 'x'.repeat(32), [name]: examples.get(from) ?? '' };
      expect(problemsOf(settings)).toContain(`${name} has a published value`);
    }
  },
);

test('the example of a channel template permits wildcards, which many clients need', () => {
  const template = VARIABLES.find(({ name }) => name === 'CHANNEL_TEMPLATE')?.docs.example ?? '';
  const clientIds = Array.from({ length: 700 }, (_, index) => `c_${index}`);
  expect(toSubscription(template, clientIds)).toHaveLength(clientIds.length);
});

test('no secret of .env.example is set by uncommenting its line', () => {
  const uncommented = parseEnv(renderEnvExample().replaceAll(/^# (?=[A-Z_]+=)/gm, ''));
  for (const { name, docs } of VARIABLES) {
    expect(uncommented[name]).toBe(docs.secret ? '' : docs.example);
  }
});
