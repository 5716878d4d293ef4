/** Texts that have broken programs: each must be shown as written, and do nothing. */

/** Would set `window.hit`. */
const SCRIPTS = [
  '<script>window.hit = 1</script>',
  '</textarea><script>window.hit = 1</script>',
  '<img src=x onerror="window.hit = 1">',
  '"><svg onload=window.hit=1>',
  '<iframe srcdoc="<script>parent.hit=1</script>">',
  '<details open ontoggle=window.hit=1>',
  '<a href="javascript:window.hit=1">click</a>',
  '<style>@import "javascript:window.hit=1";</style>',
  '<!--><script>window.hit=1</script-->',
  '{{constructor.constructor("window.hit=1")()}}',
  '${window.hit = 1}',
  '<%= window.hit = 1 %>',
  'javascript:window.hit=1',
  '[a](javascript:window.hit=1)',
  'data:text/html,<script>window.hit=1</script>',
  '\u0000<script>window.hit=1</script>',
  '＜script＞window.hit=1＜/script＞',
];

/** For programs that build commands, formats, paths or queries from texts. */
const COMMANDS = [
  "'; DROP TABLE log; --",
  '" OR ""="',
  "1' UNION SELECT password_hash FROM staff_account --",
  '%s %d %n %x %p',
  '{0} {name} %(name)s',
  '$(touch /tmp/hit) `touch /tmp/hit`',
  '; touch /tmp/hit',
  '../../etc/passwd',
  'C:\\Windows\\System32\\nul',
  '${jndi:ldap://127.0.0.1/a}',
  '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  '*)(uid=*))(|(uid=*',
  '=1+1',
];

/** Misread by careless programs. */
const LOOKALIKES = [
  'null',
  'undefined',
  'NaN',
  'true',
  '__proto__',
  'constructor',
  'toString',
  '{"text":"nested"}',
  '[object Object]',
  '0',
  '-1',
  '1e309',
  '0x7fffffff',
  '9007199254740993',
  '17000000000000000',
  '1970-01-01T00:00:00Z',
];

/** Reversed, invisible, stacked, joined, or of several planes. */
const SCRIPTS_OF_THE_WORLD = [
  '٠١٢٣ الفريق جاهز',
  'abc\u202Edcb\u202C after',
  '\u2066first\u2069 \u2067second\u2069',
  '\u200Einvisible\u200B\u200C\u200D\u2060marks\u00AD',
  'Z\u0351\u036B\u0343\u0325a\u0346\u0306l\u0300g\u0316o\u0334 comes',
  `o${'\u0301\u0316'.repeat(500)} under a tower`,
  '👩‍👩‍👧‍👦 🏳️‍🌈 🇨🇭 👍🏽',
  '\uFEFFbyte order mark',
  'ﷺ ﷽ 田中さんにあげて',
  'İstanbul ıI ß ẞ ﬁ Ǆ',
  'cafe\u0301 and café',
  '\u{10FFFF}\u{E0001}\uFFFE\uFFFF',
  'Ω≈ç√∫˜µ≤≥÷ ⁰⁴⁵₀₁₂ ﹏ ¯\\_(ツ)_/¯',
];

const SPACES = [
  'tab\tand\u00A0spaces\u2003wide\u3000wider',
  'line one\nline two\n\nline four',
  'separated\u2028by\u2029lines\u0085of Unicode',
  'bell\u0007 backspace\b escape\u001B[31m delete\u007F nul\u0000 end',
  `${'long'.repeat(500)}end`,
  `${'wide '.repeat(500)}end`,
  'http://example.com/?a=<b>&c="d"',
];

/** Invalid Unicode: shown and sent with the replacement character. */
const HALVES = ['\uD800 a first half', 'a second half \uDFFF', '\uDE00\uD83D turned about'];

export const HOSTILE_TEXTS: readonly string[] = [
  ...SCRIPTS,
  ...COMMANDS,
  ...LOOKALIKES,
  ...SCRIPTS_OF_THE_WORLD,
  ...SPACES,
  ...HALVES,
];

/** A text of exactly this many UTF-8 bytes, with characters of one to four bytes. */
export const toTextOfBytes = (bytes: number): string => {
  const [mixed, size] = ['aé€😀', 10];
  return mixed.repeat(Math.floor(bytes / size)) + 'x'.repeat(bytes % size);
};
