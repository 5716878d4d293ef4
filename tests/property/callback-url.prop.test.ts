import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { toCallbackPath } from '#domain/rules/callback-url.ts';
import { anyCharacter } from '#tests/support/any-character.ts';
import { toRuns } from '#tests/support/property-seed.ts';

const ORIGIN = 'https://desk.example';

/** The pieces of known tricks. */
const PIECES = [
  ['/', '//', '\\', '.', '..', '%2e', '%2E%2e', '%2f', '%5c', '@', ':', '?', '#', '&', '=', ';'],
  ['http:', 'https:', 'HTTPS:', 'javascript:', 'data:', 'blob:', 'file:', 'mailto:'],
  ['evil.example', 'desk.example', 'desk.example.evil.example', ORIGIN, 'localhost', '127.1'],
  ['\t', '\n', '\r', '\0', ' ', '\u00A0', '\u2028', '\uFF0F', '\uFF0E', '\u3002', '\uD800'],
  ['chat', 'c_001', 'team', 'a'],
].flat();
const pieces = fc.constantFrom(...PIECES);
const arbitraryTrick = fc.array(pieces, { maxLength: 10 }).map((parts) => parts.join(''));
const arbitraryValue = fc.oneof(
  arbitraryTrick,
  arbitraryTrick.map((text) => `/${text}`),
  arbitraryTrick.map((text) => `${ORIGIN}${text}`),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.webUrl(),
  fc.anything(),
);

describe('toCallbackPath', () => {
  it('never leaves the origin, as a real URL parser confirms', () => {
    fc.assert(
      fc.property(arbitraryValue, (value) => {
        const path = toCallbackPath(value, ORIGIN);
        const url = new URL(path, ORIGIN);
        expect(url.origin).toBe(ORIGIN);
        expect(url.username + url.password).toBe('');
        expect(url.pathname.startsWith('//')).toBe(false);
        // A router navigates to the path: it must stay here when parsed again, too.
        expect(new URL(url.pathname, ORIGIN).pathname).toBe(url.pathname);
        expect(toCallbackPath(path, ORIGIN)).toBe(path);
      }),
      { numRuns: toRuns(20_000) },
    );
  });

  it('accepts only what the origin itself would', () => {
    fc.assert(
      fc.property(arbitraryTrick, (value) => {
        const path = toCallbackPath(value, ORIGIN);
        const accepted = path === '/' ? path : value;
        expect(new URL(accepted, ORIGIN).href).toBe(new URL(path, ORIGIN).href);
      }),
      { numRuns: toRuns(5000) },
    );
  });
});
