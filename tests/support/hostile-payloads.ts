import { toTextOfBytes } from './hostile-texts.ts';

/** Nested lists, as JSON: too deep for recursive programs. */
const nest = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Invalid timetokens, of 20 types and forms. */
export const WRONG_TIMETOKENS: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  17_000_000_000_000_000,
  -1,
  1.7e16,
  '',
  '0',
  '1700000000000000',
  '170000000000000000',
  '1700000000000000x',
  '-7000000000000000',
  '1.7000000000000e1',
  ' 17000000000000000',
  '17000000000000000\n',
  '１７０００００００００００００００',
  '0x000000000000001',
  '2026-11-21T00:00:',
  ['17000000000000000'],
  { timetoken: '17000000000000000' },
];

const TEXTLESS: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0.5,
  1e308,
  [],
  ['text'],
  [{ text: 'in a list' }],
  {},
  { id: 'only-an-id' },
  { text: null },
  { text: 7 },
  { text: false },
  { text: ['a', 'b'] },
  { text: { text: 'nested' } },
  { Text: 'of another case' },
  { message: 'of another app' },
  { type: 'typing', user: 'u_1' },
  { type: 'file', url: 'https://elsewhere.example/clip.mp4', size: 1e12 },
  { event: 'join', occupancy: 3 },
  JSON.parse('{"__proto__":{"text":"inherited"}}'),
  { constructor: { prototype: { text: 'x' } } },
  { toString: 'x', valueOf: 1, toJSON: 'y' },
  { length: 1, 0: 'text' },
  JSON.parse('{"$ref":"#","then":"later"}'),
  { a: toTextOfBytes(30_000) },
  { html: '<script>window.hit = 1</script>' },
  { raw: '😀'.repeat(4000) },
  Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`field${index}`, index])),
];

const ODD: readonly unknown[] = [
  '',
  'a bare text',
  '\uD800',
  { text: '' },
  { text: 'half \uD800' },
  { text: 'x', id: '' },
  { text: 'x', id: 7 },
  { text: 'x', id: 'i'.repeat(129) },
  { text: 'x', id: '\uDFFF half' },
  { text: 'x', id: '@17000000000000000' },
  { text: 'x', id: '__proto__' },
  { text: 'x', id: 'a|b%7C' },
  { text: 'x', clientName: null, clientAvatar: 7 },
  { text: 'x', clientName: { first: 'A' }, clientAvatar: ['a'] },
  { text: 'x', clientName: '<b>bold</b>', clientAvatar: 'javascript:window.hit=1' },
  { text: 'x', clientName: 'n'.repeat(30_000), clientAvatar: 'https://elsewhere.example/a.png' },
  { text: 'x', clientName: '\uD800', clientAvatar: '\uDFFF' },
  { text: 'x', publisher: 'u_producer', timetoken: 1, room: 'c_002/team' },
  JSON.parse('{"text":"x","__proto__":{"id":"inherited"}}'),
  { text: toTextOfBytes(32_000) },
];

/** Payloads without a text, as JSON: of other apps, broken, or absurd. */
export const TEXTLESS_MESSAGES: readonly string[] = [
  ...TEXTLESS.map((message) => JSON.stringify(message)),
  nest(32),
  nest(5000),
  nest(16_000),
  `{"deep":${nest(16_000)}}`,
  `{"text":${nest(16_000)}}`,
];

/** Payloads with a text and anything else, as JSON. */
export const ODD_MESSAGES: readonly string[] = [
  ...ODD.map((message) => JSON.stringify(message)),
  `{"text":"x","extra":${nest(16_000)}}`,
  `{"text":"x","id":${nest(16_000)},"clientName":${nest(16_000)}}`,
];

/** Entries with invalid fields: only these entries are dropped. */
export const WRONG_ENTRIES: readonly unknown[] = [
  null,
  7,
  'entry',
  [],
  {},
  { channel: 'chat.c_001.team' },
  ...WRONG_TIMETOKENS.map((timetoken) => ({
    channel: 'chat.c_001.team',
    timetoken,
    publisher: 'u_1',
    message: { text: 'of no time' },
  })),
  ...[null, 7, {}, '', 'chat.c_001.kitchen', 'chat.*.team', 'chat.c_001.team,x', '__proto__'].map(
    (channel) => ({
      channel,
      timetoken: '17000000000000000',
      publisher: 'u_1',
      message: { text: 'of no room' },
    }),
  ),
  ...[null, 7, {}, ['u_1']].map((publisher) => ({
    channel: 'chat.c_001.team',
    timetoken: '17000000000000000',
    publisher,
    message: { text: 'of nobody' },
  })),
];

/** Data of unknown stream events. */
export const WRONG_EVENTS: readonly (readonly [event: string, data: string])[] = [
  ['entries', ''],
  ['entries', 'null'],
  ['entries', '[]'],
  ['entries', '{}'],
  ['entries', '{"entries":null}'],
  ['entries', '{"entries":{}}'],
  ['entries', '{"entries":"x"}'],
  ['entries', '{"entries":['],
  ['entries', '<html>'],
  ['entries', '['.repeat(10_000)],
  ['beat', ''],
  ['beat', '{}'],
  ['beat', '{"cursor":null}'],
  ['beat', '{"cursor":17000000000000000}'],
  ['beat', '{"cursor":"1"}'],
  ['beat', '{"cursor":["17000000000000000"]}'],
  ['gossip', '{"entries":[]}'],
  ['__proto__', '{}'],
  ['message', 'hello'],
];
