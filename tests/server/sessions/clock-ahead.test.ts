import { DatabaseSync } from 'node:sqlite';

import { expect, test } from 'vitest';

import { createDeniedSessions, createSqlDeniedStore } from '#server/denied/denied-sessions.ts';
import { migrate } from '#server/embedded/migrate.ts';
import { createLog } from '#server/kernel/log.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const log = createLog('silent');

test('a clock that is ahead for a week forgets no sign-out, at a start and while running', async () => {
  const sql = new DatabaseSync(':memory:');
  migrate(sql);
  let at = Date.now();
  const now = (): number => at;
  const start = () =>
    createDeniedSessions(createSqlDeniedStore({ sql, now, log, mustBeInPlace: () => {} }), {
      now,
      log,
    });
  const first = start();
  await first.add('signed-out', at + HOUR_MS);
  at += 7 * DAY_MS;
  await first.add('another', at + HOUR_MS);
  expect(first.has('signed-out')).toBe(true);
  await first.close();
  const second = start();
  at -= 7 * DAY_MS;
  expect(second.has('signed-out')).toBe(true);
  await second.close();
  at += 90 * DAY_MS;
  const last = start();
  expect(last.count()).toBe(0);
  await last.close();
  sql.close();
});
