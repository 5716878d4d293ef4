import { Buffer } from 'node:buffer';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isClientId, toRoomKey } from '#domain/rooms.ts';
import { SEARCH_PARAM, toSearchPath } from '#domain/queries.ts';
import { findChatIds, parseChatPlace, toClientPath, toRoomPath } from '#domain/routes.ts';
import { toInitials } from '#src/ui/initials-avatar.tsx';
import { splitLinks } from '#domain/text/links.ts';
import { toMessageBytes } from '#domain/schemas/message.ts';
import { isSendableText } from '#src/chat/composer/composer-text.ts';
import { anyCharacter } from '#tests/support/any-character.ts';
import { toRuns } from '#tests/support/property-seed.ts';

/** The conversion of browsers. */
const toAsciiHost = (host: string) =>
  URL.canParse(`https://${host}`) ? new URL(`https://${host}`).hostname : undefined;
const split = (text: string) => splitLinks(text, toAsciiHost);

/** Any text, with lone surrogates. */
const wildText = fc
  .tuple(fc.string({ unit: anyCharacter }), fc.array(fc.integer({ min: 0xd7_ff, max: 0xe0_00 })))
  .map(([text, units]) => text + String.fromCharCode(...units));

const anyText = fc.string({ unit: anyCharacter, maxLength: 60 });
const PIECES = [
  ['https://', 'http://', 'mailto:', 'HTTPS://', 'javascript:', 'data:', '//', 'x'],
  [
    'a.example',
    'b@c.example',
    'bаnk.example',
    '⁄',
    '%65',
    ':1',
    '@',
    '/',
    '?q=1',
    '#f',
    '(',
    ')',
    '[',
    ']',
    '.',
    ',',
    '!',
  ],
  [' ', '\n', '"', "'", '<', '>', '\u202E', '\u200B', '\uD800', '\u{1F600}', 'é', '…', '。'],
].flat();
const pieces = fc.constantFrom(...PIECES);
const linkish = fc.oneof(
  anyText,
  fc.array(pieces, { maxLength: 15 }).map((parts) => parts.join('')),
  fc.webUrl().map((url) => `see (${url}), please.`),
);

describe('splitLinks', () => {
  it('returns the text when its parts are joined', () => {
    fc.assert(
      fc.property(linkish, (text) => {
        const parts = split(text);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        expect(parts.every((part) => part.text !== '')).toBe(true);
      }),
      { numRuns: toRuns(5000) },
    );
  });

  it('links to http, https and mailto only, never with user info', () => {
    fc.assert(
      fc.property(linkish, (text) => {
        for (const { text: typed, link } of split(text)) {
          if (link === undefined) continue;
          const { href, shown } = link;
          expect(href).toBe(typed);
          expect(/^[^/]*\/\/[^/?#]*/.exec(shown)?.[0] ?? '').toMatch(/^[ -~]*$/);
          expect(href).not.toMatch(/[.,;:!?'…。]$/);
          if (!URL.canParse(href)) continue;
          const url = new URL(href);
          expect(['http:', 'https:', 'mailto:']).toContain(url.protocol);
          expect(url.username + url.password).toBe('');
        }
      }),
      { numRuns: toRuns(5000) },
    );
  });

  it('takes a short time even for a hostile text', () => {
    const hostile = [
      'https://'.repeat(4000),
      `https://a.example/${'('.repeat(15_000)}${')'.repeat(16_000)}`,
      `https://a.example/${'.'.repeat(32_000)}x`,
      `mailto:${'@'.repeat(32_000)}`,
      'h'.repeat(32_000),
    ];
    const before = process.cpuUsage();
    for (const text of hostile) expect(split(text).length).toBeGreaterThan(0);
    const { user, system } = process.cpuUsage(before);
    // A backtracking search takes minutes for these.
    expect((user + system) / 1_000_000).toBeLessThan(5);
  });
});

describe('toMessageBytes', () => {
  it('counts the bytes of the wire, even with lone surrogates', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.array(fc.nat(0xff_ff)), (text, units) => {
        const wild = text + String.fromCharCode(...units);
        const payload = { text: wild, clientName: 'n', clientAvatar: '', id: 'i' };
        expect(toMessageBytes(payload)).toBe(Buffer.byteLength(JSON.stringify(payload)));
        const formed = { ...payload, text: wild.toWellFormed() };
        expect(toMessageBytes(formed)).toBe(Buffer.byteLength(JSON.stringify(formed)));
      }),
    );
  });
});

describe('toInitials and isSendableText', () => {
  it('accept any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(toInitials(text).isWellFormed()).toBe(true);
        expect(isSendableText(text)).toBe(text.trim().length > 0);
      }),
    );
  });
});

describe('the address', () => {
  it('of a search holds any text', () => {
    fc.assert(
      fc.property(wildText, (text) => {
        const { pathname, searchParams } = new URL(toSearchPath(text), 'https://desk.example');
        expect(pathname).toBe('/search');
        expect(searchParams.get(SEARCH_PARAM) ?? '').toBe(text.toWellFormed());
      }),
    );
  });

  it('of a room names it, for every id that a client may have, and for no other', () => {
    fc.assert(
      fc.property(fc.oneof(wildText, fc.stringMatching(/^[\w-]{1,64}$/)), (id) => {
        const kind = isClientId(id) ? 'room' : 'invalid';
        expect(parseChatPlace({ clientId: id, roomId: 'team' }).kind).toBe(kind);
        fc.pre(isClientId(id));
        expect(findChatIds(toClientPath(id))?.clientId).toBe(id);
        expect(findChatIds(toRoomPath(toRoomKey(id, 'team')))).toEqual({
          clientId: id,
          roomId: 'team',
        });
      }),
    );
  });
});
