import { afterAll, beforeAll, expect, test } from 'vitest';

import { alarms, findAlarms } from './alarms.ts';
import type { Attack } from './attack.ts';
import { brokenRequests } from './http/broken-requests.ts';
import { clientLog } from './http/client-log.ts';
import { forgedPosts } from './sign-in/forged-posts.ts';
import { headers } from './http/headers.ts';
import { hosts } from './http/hosts.ts';
import { pageFiles } from './http/page-files.ts';
import { passwords } from './sign-in/passwords.ts';
import { policyReports } from './http/policy-reports.ts';
import { realtimeAccess } from './staff/realtime-access.ts';
import { redirects } from './http/redirects.ts';
import { sessions } from './sign-in/sessions.ts';
import { crowds, slowRequests } from './http/slow-requests.ts';
import { staffAbuse } from './staff/staff-abuse.ts';
import { staffProxy } from './staff/staff-proxy.ts';
import { openTarget, type Target } from './target.ts';

const GROUPS: Readonly<Record<string, readonly Attack[]>> = {
  session: sessions,
  'forged post': forgedPosts,
  redirect: redirects,
  password: passwords,
  proxy: staffProxy,
  realtime: realtimeAccess,
  'staff abuse': staffAbuse,
  log: clientLog,
  alarm: alarms,
  'policy report': policyReports,
  host: hosts,
  file: pageFiles,
  header: headers,
  request: brokenRequests,
  crowd: crowds,
};

/** Numbers the attacks, as `group: title` with its attack. */
const number = (
  groups: Readonly<Record<string, readonly Attack[]>>,
  from: number,
): readonly (readonly [string, Attack])[] =>
  Object.entries(groups)
    .flatMap(([group, attacks]) =>
      attacks.map((attack) => [`${group}: ${attack.title}`, attack] as const),
    )
    .map(([title, attack], index) => [`${from + index}. ${title}`, attack]);

const PROMPT = number(GROUPS, 1);
const SLOW = number({ slow: slowRequests }, PROMPT.length + 1);

let target: Target;
/** Started first; they run beside all others. */
let slow: readonly Promise<unknown>[];
beforeAll(async () => {
  target = await openTarget();
  slow = SLOW.map(([, { attempt }]) => attempt(target));
});
afterAll(() => target.dispose());

test.each(PROMPT)('%s', async (_title, { attempt, outcome }) => {
  expect(await attempt(target)).toEqual(outcome);
});

test.each(SLOW.map(([title, { outcome }], index) => [title, outcome, index] as const))(
  '%s',
  async (_title, outcome, index) => {
    expect(await slow[index]).toEqual(outcome);
  },
);

test('no attack raised an alarm', () => {
  expect([...findAlarms(target.server), ...findAlarms(target.https)]).toEqual([]);
});

test('no attack is listed twice', () => {
  const titles = [...PROMPT, ...SLOW].map(([title]) => title.replace(/^\d+\. /, ''));
  expect(titles.length).toBeGreaterThanOrEqual(60);
  expect(new Set(titles).size).toBe(titles.length);
});
