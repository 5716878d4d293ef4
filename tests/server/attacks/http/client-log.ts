import { type Answer, FORM, send, toForm } from '#tests/support/server/web-client.ts';

import { type Attack, inForms } from '../attack.ts';
import type { Target } from '../target.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

const write = (
  { server }: Pick<Target, 'server'>,
  body: string,
  headers: Readonly<Record<string, string>> = FORM,
): Promise<Answer> => send(server.port, '/api/auth/_log', { method: 'POST', headers, body });

interface Line {
  readonly level: number;
  readonly code: string;
  readonly details: string;
}

/** The lines of the log that contain a word; every line of it must be one JSON object. */
const findLines = ({ server }: Pick<Target, 'server'>, word: string): readonly Line[] =>
  server
    .log()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => JSON.stringify(line).includes(word));

const nest = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const withoutCode = [
  ...inForms<string>(
    [
      ['nothing', ''],
      ['no code', 'level=error'],
      ['broken escapes', '%E0%A4%A'],
      ['a code of control characters', 'code=%00%1b'],
    ],
    async (target, body) => (await write(target, body)).status,
    400,
  ),
  ...inForms<string>(
    ['null', '[]', '"text"', '1e999', '{', '['.repeat(30_000), '{"__proto__":{"code":"x"}}'].map(
      (body) => [`JSON ${body.slice(0, 20)}`, body] as const,
    ),
    async (target, body) => (await write(target, body, JSON_TYPE)).status,
    400,
  ),
];

const tooDeep = inForms<readonly [body: string, status: number]>(
  [
    ['details nested 30,000 deep', [`{"code":"DEEP","details":${nest(30_000)}}`, 200]],
    ['a code nested 30,000 deep', [`{"code":${nest(30_000)}}`, 400]],
    ['a field nested 6,000 deep', [`{"code":"DEEP","other":${nest(6000)}}`, 200]],
  ],
  async (target, [body, status]) => (await write(target, body, JSON_TYPE)).status - status,
  0,
);

const forging: readonly Attack[] = [
  {
    title: 'forged lines, colours, reversed text, and oversized entries',
    attempt: async (target) => {
      const details = `\u001b[31mred\r\n{"level":60}\u0085\u2028\u202e${'x'.repeat(50_000)}END`;
      const { status } = await write(target, toForm({ level: 'error', code: 'FORGED', details }));
      const [line, ...more] = findLines(target, 'FORGED');
      const kept = line?.details ?? '';
      return [status, more.length, line?.level, /^\[31mred +\{"level":60\} +x+$/.test(kept)].concat(
        kept.length <= 2000,
      );
    },
    outcome: [200, 0, 40, true, true],
  },
  {
    title: 'an invented level and code',
    attempt: async (target) => {
      await write(target, toForm({ level: 'fatal\n', code: `OWN\n${'C'.repeat(100)}` }));
      return findLines(target, 'OWN ').map(({ level, code }) => [level, code.length]);
    },
    outcome: [[20, 64]],
  },
  {
    title: 'from a foreign page',
    attempt: async (target) => {
      const headers = { ...FORM, 'sec-fetch-site': 'cross-site' };
      const other = { ...FORM, origin: 'https://evil.example' };
      const answers = [
        await write(target, 'code=FOREIGN', headers),
        await write(target, 'code=FOREIGN', other),
      ];
      return [...answers.map(({ status }) => status), findLines(target, 'FOREIGN').length];
    },
    outcome: [403, 403, 0],
  },
  {
    title: 'a flood, to fill the disk or to read it back',
    attempt: ({ alone }) =>
      alone(async (server) => {
        const answers = await Promise.all(
          Array.from({ length: 80 }, (_, i) => write({ server }, toForm({ code: `FLOOD_${i}` }))),
        );
        const limited = answers.filter(({ status }) => status === 429);
        const echoes = answers.filter(({ text }) => text.includes('FLOOD'));
        const told = limited.every(({ headers }) => Number(headers['retry-after']) > 0);
        return [answers.length - limited.length, told, echoes.length];
      }),
    outcome: [60, true, 0],
  },
];

/** Entries that anyone may write into the server's log. */
export const clientLog: readonly Attack[] = [...withoutCode, ...tooDeep, ...forging];
