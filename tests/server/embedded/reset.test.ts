import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { runScript } from '#tests/support/process/node-process.ts';
import { makeDataDir, mustOpen, removeDataDir } from '#tests/support/server/realtime-server.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = makeDataDir();
  (await mustOpen(dataDir, true)).close();
  writeFileSync(join(dataDir, 'auth-secret'), 'x'.repeat(64));
});
afterEach(() => removeDataDir(dataDir));

const reset = async (answer?: string, ...args: readonly string[]) => {
  const command = runScript('server/bin/reset.ts', args, { DATA_DIR: dataDir });
  if (answer !== undefined) command.write(answer);
  command.endInput();
  return { code: await command.exited, output: command.output() };
};
const hasData = (): boolean => existsSync(join(dataDir, 'desk.sqlite'));

test('it asks first, and only a yes deletes', async () => {
  for (const answer of ['n\n', '\n', 'maybe\n', undefined]) {
    const { code, output } = await reset(answer);
    expect(code).toBe(1);
    expect(output).toContain(`in ${dataDir}?`);
    expect(output).toContain('Nothing was deleted.');
  }
  expect(hasData()).toBe(true);
  expect((await reset('yes\n')).code).toBe(0);
  expect(readdirSync(dataDir)).toEqual([]);
});

test('with --yes it does not ask; the next start begins with new data', async () => {
  const { code, output } = await reset(undefined, '--yes');
  expect(code).toBe(0);
  expect(output).not.toContain('?');
  expect(readdirSync(dataDir)).toEqual([]);
  const data = await mustOpen(dataDir);
  expect([data.hasDemo, data.staffData.listTeams()]).toEqual([false, []]);
  data.close();
});

test('it refuses while a server uses the data', async () => {
  const data = await mustOpen(dataDir);
  const { code, output } = await reset(undefined, '--yes');
  expect(code).toBe(1);
  expect(output).toContain('in use by another Replay Desk process');
  data.close();
  expect(hasData()).toBe(true);
});

test('it deletes the damaged secrets of earlier starts, too', async () => {
  writeFileSync(join(dataDir, 'auth-secret.damaged-2026-11-20T10-00-00-000Z'), 'x'.repeat(60));
  const { output } = await reset(undefined, '--yes');
  expect(readdirSync(dataDir)).toEqual([]);
  expect(output).toBe(`${dataDir} is empty.\n`);
});

test('it deletes only its own files, and names what remains', async () => {
  for (const name of ['holiday.jpg', 'backup.sqlite'])
    writeFileSync(join(dataDir, name), 'precious');
  const { code, output } = await reset(undefined, '--yes');
  expect(code).toBe(0);
  expect(readdirSync(dataDir)).toEqual(['backup.sqlite', 'holiday.jpg']);
  expect(output).toBe(
    `The data in ${dataDir} was deleted. Other files remain: backup.sqlite, holiday.jpg.\n`,
  );
  const again = await reset(undefined, '--yes');
  expect([again.code, again.output]).toEqual([0, `${dataDir} contains no data: nothing to do.\n`]);
});

test('wrong arguments delete nothing', async () => {
  expect((await reset(undefined, '--force')).code).toBe(2);
  expect(hasData()).toBe(true);
});
