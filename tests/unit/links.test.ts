import { describe, expect, it } from 'vitest';

import { splitLinks } from '#domain/rules/links.ts';

const linksIn = (text: string) =>
  splitLinks(text).flatMap(({ href }) => (href === undefined ? [] : [href]));

describe('splitLinks', () => {
  it('splits text and links in order', () => {
    expect(splitLinks('See https://a.example/clip?x=1#t. Thanks')).toEqual([
      { text: 'See ', href: undefined },
      { text: 'https://a.example/clip?x=1#t', href: 'https://a.example/clip?x=1#t' },
      { text: '. Thanks', href: undefined },
    ]);
    expect(splitLinks('plain')).toEqual([{ text: 'plain', href: undefined }]);
    expect(splitLinks('')).toEqual([]);
  });

  it.each([
    ['http://a.example', ['http://a.example']],
    ['HTTPS://A.EXAMPLE/x', ['HTTPS://A.EXAMPLE/x']],
    ['mailto:maya@example.com?subject=Clip', ['mailto:maya@example.com?subject=Clip']],
    ['https://a.example/@maya', ['https://a.example/@maya']],
    ['https://a.example/ü/日本', ['https://a.example/ü/日本']],
    ['https://a.example:8080/x', ['https://a.example:8080/x']],
    ['https://a.example https://b.example', ['https://a.example', 'https://b.example']],
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
  ])('leaves the punctuation of the sentence out: %j', (text, link) => {
    expect(linksIn(text)).toEqual([link]);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a.example',
    'file:///etc/passwd',
    'xhttps://a.example',
    'www.a.example',
    'https://',
    'https://?',
    'https://bank.example@evil.example/',
    'mailto:nobody',
    'mailto://。@https://',
    'mailto:\\\\me@evil.example',
    'java\nscript:https',
  ])('makes no link of %j', (text) => {
    expect(linksIn(text)).toEqual([]);
  });

  it('ends a link where the reading direction turns', () => {
    expect(linksIn('https://a.example/\u202Egpj.exe')).toEqual(['https://a.example/']);
    expect(linksIn('https://a.example\u200B.evil.example')).toEqual(['https://a.example']);
  });
});
