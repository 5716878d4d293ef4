import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { renderEnvExample, renewTable } from '#tests/support/write-config-docs.ts';
import { VARIABLES } from '#server/config/schema.ts';
import { parseConfig } from '#server/config/config.ts';

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

test('every example is a valid value', () => {
  const examples = VARIABLES.map(({ name, docs }) => [name, docs.example] as const);
  // The two ways to share sign-outs exclude each other.
  for (const left of ['SIGN_OUT_DIR', 'SHARED_STORE_URL']) {
    const variables = Object.fromEntries(examples.filter(([name]) => name !== left));
    expect(parseConfig(variables)).toMatchObject({ ok: true });
  }
});
