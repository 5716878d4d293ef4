import { DatabaseSync } from 'node:sqlite';

import { expect, test } from 'vitest';

import { createDeniedSessions, noopDeniedStore } from '#server/denied/denied-sessions.ts';
import { migrate } from '#server/embedded/migrate.ts';
import { createLog } from '#server/kernel/log.ts';
import { createSessionRegistry } from '#server/sessions/session-registry.ts';
import { createSqlSessionStore } from '#server/sessions/sql-session-store.ts';

const IDLE_MS = 60_000;

test('a sign-in removes expired sessions from the stored list', async () => {
  let at = 1_000_000;
  const now = (): number => at;
  const log = createLog('silent');
  const sql = new DatabaseSync(':memory:');
  migrate(sql);
  const store = createSqlSessionStore(sql, now);
  const denied = createDeniedSessions(noopDeniedStore, { now, log });
  const registry = createSessionRegistry({ store, denied, idleMs: IDLE_MS, now, log });
  const request = new Request('http://localhost/');
  const signIn = (sid: string): Promise<unknown> =>
    registry.begin({ uid: 'u_1', sid, since: at, until: at + 3 * IDLE_MS }, request);
  await signIn('unused');
  at += IDLE_MS - 1;
  await signIn('used');
  expect(await store.list('u_1')).toHaveLength(2);
  at += 1;
  await signIn('new');
  const kept = (await store.list('u_1')).map(({ handle }) => handle);
  expect(kept.toSorted()).toEqual(['used', 'new'].map((sid) => registry.toHandle(sid)).toSorted());
  await registry.close();
  await denied.close();
  sql.close();
});
