import { describe, expect, it } from 'vitest';

import { toMessagePath } from '#domain/queries.ts';
import { splitLinks, type TextPart } from '#domain/text/links.ts';
import { listQuoted, parseMessageUrl } from '#domain/text/quote.ts';
import { parseTimetoken } from '#domain/timetoken.ts';

/** The conversion of browsers. */
const toAsciiHost = (host: string) =>
  URL.canParse(`https://${host}`) ? new URL(`https://${host}`).hostname : undefined;
const split = (text: string) => splitLinks(text, toAsciiHost);
const ofLinks = (field: (link: NonNullable<TextPart['link']>) => string) => (text: string) =>
  split(text).flatMap(({ link }) => (link === undefined ? [] : [field(link)]));
const linksIn = ofLinks(({ href }) => href);
const shownIn = ofLinks(({ shown }) => shown);

describe('splitLinks', () => {
  it('splits text and links in order', () => {
    const address = 'https://a.example/clip?x=1#t';
    expect(split(`See ${address}. Thanks`)).toEqual([
      { text: 'See ', link: undefined },
      { text: address, link: { href: address, shown: address } },
      { text: '. Thanks', link: undefined },
    ]);
    expect(split('plain')).toEqual([{ text: 'plain', link: undefined }]);
    expect(split('')).toEqual([]);
  });

  it.each([
    ['http://a.example', ['http://a.example']],
    ['HTTPS://A.EXAMPLE/x', ['HTTPS://A.EXAMPLE/x']],
    ['mailto:maya@example.com?subject=Clip', ['mailto:maya@example.com?subject=Clip']],
    ['https://a.example/@maya', ['https://a.example/@maya']],
    ['https://a.example/ü/日本', ['https://a.example/ü/日本']],
    ['https://a.example:8080/x', ['https://a.example:8080/x']],
    ['https://a.example https://b.example', ['https://a.example', 'https://b.example']],
    ['動画はhttps://a.example/x', ['https://a.example/x']],
    ['「https://a.example/x」とhttps://b.example', ['https://a.example/x', 'https://b.example']],
  ])('links %j', (text, links) => {
    expect(linksIn(text)).toEqual(links);
  });

  it.each([
    ['(https://a.example)', 'https://a.example'],
    ['https://a.example/x!?…', 'https://a.example/x'],
    ['https://a.example/x, and', 'https://a.example/x'],
    ['"https://a.example/x"', 'https://a.example/x'],
    ['<https://a.example/x>', 'https://a.example/x'],
    ['*https://a.example/x*', 'https://a.example/x'],
    ['[clip](https://a.example/x).', 'https://a.example/x'],
    ['https://a.example/Cut_(final)', 'https://a.example/Cut_(final)'],
    ['(see https://a.example/Cut_(final)).', 'https://a.example/Cut_(final)'],
    ['https://a.example/x。', 'https://a.example/x'],
    ['“https://a.example/x”', 'https://a.example/x'],
    ['„https://a.example/x“, sagt sie', 'https://a.example/x'],
    ['«https://a.example/x»', 'https://a.example/x'],
    ['（https://a.example/x）です', 'https://a.example/x'],
    ['《https://a.example/x》', 'https://a.example/x'],
    ['【https://a.example/x】', 'https://a.example/x'],
    ['https://a.example/x；', 'https://a.example/x'],
    ['https://a.example/x：', 'https://a.example/x'],
  ])('excludes the punctuation of the sentence: %j', (text, link) => {
    expect(linksIn(text)).toEqual([link]);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a.example',
    'file:///etc/passwd',
    'xhttps://a.example',
    '_https://a.example',
    '1https://a.example',
    'www.a.example',
    'https://',
    'https://?',
    'https://bank.example@evil.example/',
    'mailto:nobody',
    'mailto://。@https://',
    'mailto:\\\\me@evil.example',
    'java\nscript:https',
  ])('does not link %j', (text) => {
    expect(linksIn(text)).toEqual([]);
  });

  it('ends a link where the reading direction changes', () => {
    expect(linksIn('https://a.example/\u202Egpj.exe')).toEqual(['https://a.example/']);
    expect(linksIn('https://a.example\u200B.evil.example')).toEqual(['https://a.example']);
  });
});

describe('the host of a link', () => {
  it.each([
    ['Cyrillic letters that look Latin', 'https://аррӏе.com/id', 'https://xn--80ak6aa92e.com/id'],
    ['one foreign letter', 'https://bаnk.example/', 'https://xn--bnk-6cd.example/'],
    ['accents', 'https://münchen.example:8080/x', 'https://xn--mnchen-3ya.example:8080/x'],
    [
      'a slash that is none',
      'https://bank.com⁄x.evil.example/',
      'https://bank.xn--comx-2g7a.evil.example/',
    ],
    [
      'a full stop that is none',
      'https://bank.com。evil.example/',
      'https://bank.com.evil.example/',
    ],
    ['full-width letters', 'https://ｂank.example/', 'https://bank.example/'],
    ['percent signs', 'https://%65vil.example/', 'https://evil.example/'],
    ['a number', 'http://0x7f.1/', 'http://127.0.0.1/'],
    ['letters from right to left', 'https://שלום.example/x', 'https://xn--9dbne9b.example/x'],
    [
      'the host of a mail address',
      'mailto:me@bаnk.example?subject=x',
      'mailto:me@xn--bnk-6cd.example?subject=x',
    ],
  ])('is shown in ASCII if it is spelled with %s', (_, typed, shown) => {
    expect(shownIn(`See ${typed} now`)).toEqual([shown]);
    expect(linksIn(`See ${typed} now`)).toEqual([typed]);
  });

  it.each([
    'https://a.example/',
    'HTTPS://A.EXAMPLE/x',
    'https://a.example./x',
    'https://a.example:443/x',
    'https://a_b.example',
    'http://[::1]:8080/x',
    'https://xn--bnk-7cd.example/',
    'mailto:maya@example.com',
  ])('is shown as typed in %s', (address) => {
    expect(shownIn(address)).toEqual([address]);
  });

  it('makes no link if it is invalid, or follows user info', () => {
    expect(linksIn('https://a..b%00.example/')).toEqual([]);
    expect(linksIn('https://bank.example%40evil.example/')).toEqual([]);
    expect(linksIn('https://bank.example:x@evil.example/')).toEqual([]);
    expect(linksIn('https://bank.example\\@evil.example/')).toEqual([]);
  });
});

describe('a long address', () => {
  it.each([
    `https://replays.example.com/${'deliveries/'.repeat(20)}goal-from-behind.mp4`,
    `https://a.example?q=${'1'.repeat(80)}`,
    `https://${'www.bank.com.'.repeat(8)}evil.example/login`,
  ])('is shown whole: %s', (address) => {
    expect(shownIn(`See ${address}.`)).toEqual([address]);
    expect(linksIn(address)).toEqual([address]);
  });
});

const HERE = 'https://desk.example';
const AT = '17000000000000001';

describe('an address of a message', () => {
  const parse = (rest: string) => parseMessageUrl(`${HERE}${rest}`, HERE);

  it('names its room and its position', () => {
    const place = { room: 'c_001/team', at: AT } as const;
    expect(parse(`/chat/c_001/team?m=${AT}`)).toEqual(place);
    expect(parse(`/chat/c_001/team/?m=${AT}`)).toEqual(place);
    expect(parse(toMessagePath('c-9/producers', parseTimetoken(AT)!))).toMatchObject({ at: AT });
  });

  it.each([
    '',
    '/',
    '/chat',
    `/chat?m=${AT}`,
    `/chat/c_001?m=${AT}`,
    '/chat/c_001/team',
    '/chat/c_001/team?m=',
    '/chat/c_001/team?m=1',
    `/chat/c_001/team?m=${AT}0`,
    `/chat/c_001/team?m=${AT.slice(1)}x`,
    `/chat/c_001/team?m=-${AT.slice(1)}`,
    '/chat/c_001/team?m=١٧٠٠٠٠٠٠٠٠٠٠٠٠٠٠١',
    `/chat/c_001/team?m=${AT}#x`,
    `/chat/c_001/team?m=${AT}&m=${AT}`,
    `/chat/c_001/team?x=1&m=${AT}`,
    `/chat/c_001/private?m=${AT}`,
    `/chat/c_001/__proto__?m=${AT}`,
    `/chat/${'c'.repeat(65)}/team?m=${AT}`,
    `/chat/c%2F001/team?m=${AT}`,
    `/chat/../team?m=${AT}`,
    `/chat/c_001/team/more?m=${AT}`,
    `/search?m=${AT}`,
    `\\evil.example/chat/c_001/team?m=${AT}`,
  ])('is not valid as %s', (rest) => {
    expect(parse(rest)).toBeUndefined();
  });

  it.each([
    'https://other.example',
    'http://desk.example',
    'https://desk.example:8443',
    'https://desk.example.evil.example',
    'https://desk.example@evil.example',
    'https://evil.example/https://desk.example',
  ])('is not valid on %s', (origin) => {
    expect(parseMessageUrl(`${origin}/chat/c_001/team?m=${AT}`, HERE)).toBeUndefined();
  });

  it('is found in a text; each one once, at most three', () => {
    const link = (n: number) => `${HERE}/chat/c_001/team?m=1700000000000000${n}`;
    const find = (text: string) =>
      listQuoted(text, HERE, toAsciiHost).map(({ at }) => Number(at.at(-1)));
    expect(find('Nothing here.')).toEqual([]);
    expect(find(`See ${link(1)}, and (${link(2)}). Again: ${link(1)}!`)).toEqual([1, 2]);
    expect(find([1, 2, 3, 4, 5].map(link).join(' '))).toEqual([1, 2, 3]);
    expect(find(`${link(1).replace('desk', 'other')} ${link(4)}`)).toEqual([4]);
  });
});
