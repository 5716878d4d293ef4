import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { type Variable, VARIABLES } from '#server/config/schema.ts';

/**
 * Run as a script, this file writes the documents that tests/server/config/config-docs.test.ts
 * checks.
 */

const TABLE_START = '<!-- environment -->';
const TABLE_END = '<!-- /environment -->';

/** A secret is empty: an example that everyone can read must not become one. */
const renderAssignment = ({ name, docs }: Variable): string =>
  docs.secret ? `# Example: ${docs.example}\n# ${name}=` : `# ${name}=${docs.example}`;

/** `.env.example`: every variable with its meaning, commented out at an example value. */
export const renderEnvExample = (): string => {
  const blocks = VARIABLES.map(
    (variable) =>
      `# ${variable.docs.meaning}\n# Expected: ${variable.docs.expected}. Default: ${variable.docs.fallback}.\n${renderAssignment(variable)}\n`,
  );
  return [
    '# Copy to .env and uncomment what you need. A first start needs none of it.\n',
    ...blocks,
  ].join('\n');
};

/** The table of all variables in Markdown. */
const renderTable = (): string =>
  [
    '| variable | default | meaning |',
    '|---|---|---|',
    ...VARIABLES.map(({ name, docs }) => `| \`${name}\` | ${docs.fallback} | ${docs.meaning} |`),
  ].join('\n');

/** Replaces the table between the two markers of a document; without markers it is unchanged. */
export const renewTable = (document: string): string => {
  const start = document.indexOf(TABLE_START);
  const end = document.indexOf(TABLE_END);
  if (start === -1 || end < start) return document;
  const before = document.slice(0, start + TABLE_START.length);
  return `${before}\n${renderTable()}\n${document.slice(end)}`;
};

if (import.meta.main) {
  writeFileSync('.env.example', renderEnvExample());
  const settings = 'docs/settings.md';
  if (existsSync(settings)) writeFileSync(settings, renewTable(readFileSync(settings, 'utf8')));
}
