import { describe, expect, it } from 'vitest';

import { toCallbackPath } from '#domain/rules/callback-url.ts';

const ORIGIN = 'http://localhost:4600';
const check = (value: unknown) => toCallbackPath(value, ORIGIN);

describe('toCallbackPath', () => {
  it.each([
    ['/chat/c_001/team', '/chat/c_001/team'],
    [`${ORIGIN}/chat/c_001/team?a=1#b`, '/chat/c_001/team?a=1#b'],
    ['/chat?next=//evil.example', '/chat?next=//evil.example'],
    ['/a%20b/@user', '/a%20b/@user'],
    ['/.well-known/x', '/.well-known/x'],
    ['/', '/'],
    [`${ORIGIN}/`, '/'],
    [`/${'a'.repeat(2047)}`, `/${'a'.repeat(2047)}`],
  ])('accepts %j', (value, path) => {
    expect(check(value)).toBe(path);
  });

  it.each([
    ['another origin', 'https://evil.example/chat'],
    ['a longer host', `${ORIGIN}.evil.example/chat`],
    ['another port', 'http://localhost:46001/chat'],
    ['user info', 'http://localhost:4600@evil.example/chat'],
    ['own origin with user info', 'http://me@localhost:4600/chat'],
    ['two slashes', '//evil.example'],
    ['slash and backslash', '/\\evil.example'],
    ['backslashes', '\\\\evil.example'],
    ['two slashes behind the origin', `${ORIGIN}//evil.example`],
    ['dots that leave two slashes', '/.//evil.example'],
    ['double dots that do', '/chat/..//evil.example'],
    ['encoded dots', '/%2e%2e//evil.example'],
    ['dot segments at the end', '/chat/..'],
    ['a tab inside', '/\t/evil.example'],
    ['a line break inside', '/\n/evil.example'],
    ['a blank in front', ' /chat'],
    ['a script', 'javascript:alert(1)'],
    ['a blob', `blob:${ORIGIN}/9c1b`],
    ['data', 'data:text/html,x'],
    ['no slash', 'chat'],
    ['only a query', '?a'],
    ['an empty text', ''],
    ['2,049 characters', `/${'a'.repeat(2048)}`],
    ['a fullwidth slash', '/\uFF0Fevil.example'],
    ['nothing', undefined],
    ['null', null],
    ['a list', ['/chat']],
  ])('refuses %s', (_, value) => {
    expect(check(value)).toBe('/');
  });

  it('accepts no address if the origin itself is invalid', () => {
    expect(toCallbackPath('null/chat', 'null')).toBe('/');
    expect(toCallbackPath('blob:http://x/chat', 'blob:http://x')).toBe('/');
    expect(toCallbackPath('/chat', 'null')).toBe('/chat');
  });
});
