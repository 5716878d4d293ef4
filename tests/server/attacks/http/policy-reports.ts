import { type Answer, send } from '#tests/support/server/web-client.ts';
import type { WebServer } from '#tests/support/server/web-server.ts';

import { findAlarms, readLines } from '../alarms.ts';
import { type Attack, inForms, under } from '../attack.ts';

const PATH = '/api/policy-reports';
const MESSAGE = 'content policy violation';

const report = (
  server: Pick<WebServer, 'port'>,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  send(server.port, PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/reports+json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** A report in the format of Chromium (Reporting API). */
const toNew = (effectiveDirective: string, blockedURL: string) => [
  {
    age: 0,
    type: 'csp-violation',
    url: 'http://localhost/chat/c_001?secret=1',
    body: { effectiveDirective, blockedURL, disposition: 'enforce', sample: 'a text of somebody' },
  },
];

/** A report in the format of Firefox and Safari (report-uri). */
const toOld = (directive: string, blocked: string) => ({
  'csp-report': {
    'document-uri': 'http://localhost/chat/c_001?secret=1',
    'violated-directive': directive,
    'blocked-uri': blocked,
  },
});

const readReports = (server: Pick<WebServer, 'log'>) =>
  readLines(server)
    .filter(({ msg }) => msg === MESSAGE)
    .map((line) => {
      const { level, directive, blocked } = line as unknown as Record<string, unknown>;
      return [level, directive, blocked];
    });

const nonsense = under(
  'an invalid report:',
  inForms<string>(
    ['', '{', 'null', '[1]', '{"csp-report":1}', '"x"', '['.repeat(30_000)].map(
      (body) => [body.slice(0, 20) || 'nothing', body] as const,
    ),
    async ({ server }, body) => (await report(server, body)).status,
    400,
  ),
);

const others: readonly Attack[] = [
  {
    title: 'a report in either form is one line without paths, queries and samples',
    attempt: ({ alone }) =>
      alone(async (server) => {
        const address = 'https://evil.example/path?token=1';
        const answers = [
          await report(server, toNew('img-src', address)),
          await report(server, toNew('img-src', address)),
          await report(server, toOld('script-src-elem', 'inline')),
          await report(server, [{ type: 'deprecation', body: {} }]),
        ];
        const leaks = ['token=1', 'secret=1', 'a text of somebody', 'c_001'];
        return [
          answers.map(({ status }) => status),
          readReports(server),
          leaks.filter((leak) => server.log().includes(leak)),
        ];
      }),
    outcome: [
      [204, 204, 204, 204],
      [
        [40, 'img-src', 'https://evil.example'],
        [40, 'script-src-elem', 'inline'],
      ],
      [],
    ],
  },
  {
    title: 'forged lines, alarms and a flood by reports',
    attempt: ({ alone }) =>
      alone(async (server) => {
        const forged = 'x\r\n{"level":60}\u001b[31m\u202e';
        const answers = await Promise.all(
          Array.from({ length: 90 }, (_, n) =>
            report(server, toNew(`${forged}${n}`, `${'y'.repeat(5000)}${n}`)),
          ),
        );
        const limited = answers.filter(({ status }) => status === 429);
        const lengths = readReports(server).map(([, , blocked]) => String(blocked).length);
        return [
          limited.length,
          limited.every(({ headers }) => Number(headers['retry-after']) > 0),
          Math.max(...lengths) <= 200,
          findAlarms(server),
        ];
      }),
    outcome: [30, true, true, []],
  },
  {
    title: 'invented kinds do not hide a real violation of another directive',
    attempt: ({ alone }) =>
      alone(async (server) => {
        const invent = (n: number) => [
          ...toNew('img-src', `https://evil${n}.example`),
          ...toNew(`invented-${n}`, `https://evil${n}.example`),
        ];
        const answers: number[] = [];
        for (let n = 0; n < 300; n += 10) {
          const reports = Array.from({ length: 10 }, (_, more) => invent(n + more)).flat();
          answers.push((await report(server, reports)).status);
        }
        await report(server, toNew('script-src-elem', 'inline'));
        const reports = readReports(server);
        return [new Set(answers), reports.length <= 60, reports.at(-1)];
      }),
    outcome: [new Set([204]), true, [40, 'script-src-elem', 'inline']],
  },
  {
    title: 'reports from a foreign page',
    attempt: async ({ server }) =>
      (await report(server, toNew('img-src', 'x'), { origin: 'https://evil.example' })).status,
    outcome: 403,
  },
];

/** Reports about the content policy that anyone may send. */
export const policyReports: readonly Attack[] = [...nonsense, ...others];
