import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type People, toSender, toSenderLabel } from '#domain/rules/sender.ts';
import { anyCharacter } from '#tests/support/any-character.ts';
import { toRuns } from '#tests/support/property-seed.ts';

const ANA = { uid: 'u_ana', name: 'Ana Lopes' };
const PEOPLE: People = {
  user: { uid: 'u_me', name: 'Jonas Weidner', email: null, image: null, role: 'team' },
  team: { client_id: 'c_001', client: { first_name: 'Maya', last_name: 'Okafor' } },
  staff: [ANA, { uid: 'client:c_001', name: 'Not staff' }, { uid: 'client:x', name: 'Nor this' }],
};
const KNOWN = new Set(['u_me', 'u_ana', 'client:c_001']);
const NAMES = ['Ana Lopes', 'Maya Okafor', 'Jonas Weidner', 'Staff', 'You', 'Client', ''];

/** Variants that could pass for a known publisher without being one. */
const variant = fc
  .tuple(
    fc.constantFrom(...KNOWN, 'client:', 'client:c_002', 'client:x', 'ana', 'c_001'),
    fc.constantFrom('', ' ', '\u200B', '\u202E', '\0', '/', '%00', '|', '\u0301', 'а', '.'),
    fc.constantFrom('before', 'after', 'upper'),
  )
  .map(([name, extra, way]) =>
    way === 'upper' ? name.toUpperCase() + extra : way === 'before' ? extra + name : name + extra,
  );
const publisher = fc.oneof(variant, fc.string({ unit: anyCharacter, maxLength: 200 }));
const claim = fc.oneof(
  fc.constantFrom(...NAMES),
  fc.string({ unit: anyCharacter, maxLength: 200 }),
);

describe('toSender', () => {
  it('identifies the user, the staff and the client by their publishers, whatever they claim', () => {
    fc.assert(
      fc.property(claim, (clientName) => {
        const from = (sender: string) => toSender({ publisher: sender, clientName }, PEOPLE);
        expect(from('u_me')).toMatchObject({ role: 'own', name: 'Jonas Weidner' });
        expect(from('u_ana')).toEqual({ role: 'staff', name: 'Ana Lopes', seed: 'u_ana' });
        expect(from('client:c_001')).toMatchObject({ role: 'client', name: 'Maya Okafor' });
        const labels = ['u_me', 'u_ana', 'client:c_001'].map((uid) => toSenderLabel(from(uid)));
        expect(labels).toEqual(['You', 'Ana Lopes', 'Maya Okafor']);
      }),
    );
  });

  it('shows nobody else as known: no role, no tint, a plain name', () => {
    fc.assert(
      fc.property(publisher, claim, (sender, clientName) => {
        fc.pre(!KNOWN.has(sender));
        const shown = toSender({ publisher: sender, clientName }, PEOPLE);
        const { role, name, seed } = shown;
        expect([role, seed, toSenderLabel(shown)]).toEqual(['unknown', '', 'Unverified']);
        expect(name.isWellFormed()).toBe(true);
        expect(name).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(name).toBe(name.trim());
        expect(Array.from(name).length).toBeGreaterThan(0);
        expect(Array.from(name).length).toBeLessThanOrEqual(65);
      }),
      { numRuns: toRuns(3000) },
    );
  });

  it('marks nobody as unverified without a staff list, or with an empty one', () => {
    fc.assert(
      fc.property(publisher, claim, fc.constantFrom(undefined, []), (sender, clientName, staff) => {
        fc.pre(sender !== 'u_me' && sender !== 'client:c_001');
        const { role, seed } = toSender({ publisher: sender, clientName }, { ...PEOPLE, staff });
        expect(role).toBe(sender.startsWith('client:') ? 'unknown' : 'unchecked');
        expect(seed).toBe('');
      }),
    );
  });
});
