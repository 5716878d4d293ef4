import { type PathLike, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { parseConfig } from '#server/config/config.ts';
import { checkData } from '#server/doctor/check-data.ts';
import { makeDataDir, mustOpen, removeDataDir } from '#tests/support/server/realtime-server.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = makeDataDir();
});
afterEach(() => removeDataDir(dataDir));

test('files of the data that this user may only read are reported', async () => {
  (await mustOpen(dataDir)).close();
  writeFileSync(join(dataDir, 'desk.sqlite-wal'), '');
  const config = parseConfig({ DATA_DIR: dataDir });
  if (!config.ok) throw new Error(config.error.join());
  // As after `chmod 400`, which does not bind root.
  const readOnly = ['desk.lock', 'desk.sqlite', 'desk.sqlite-wal'].map((name) =>
    join(dataDir, name),
  );
  const mayReadOnly = (path: PathLike): void => {
    if (readOnly.includes(String(path))) throw new Error('EACCES');
  };
  const problems = checkData(config.value, mayReadOnly).filter(({ state }) => state === 'bad');
  expect(problems.map(({ text }) => text)).toEqual(
    readOnly.map((file) => `${file}: this user cannot read and write it: check its owner and mode`),
  );
  expect(checkData(config.value).filter(({ state }) => state === 'bad')).toEqual([]);
});
