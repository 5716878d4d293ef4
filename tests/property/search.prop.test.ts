import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { filterTeams } from '#domain/text/search.ts';
import { toFullName } from '#domain/schemas/team.ts';
import { anyCharacter } from '#tests/support/any-character.ts';
import { toRuns } from '#tests/support/property-seed.ts';

/** Names of people, and any other text that a form accepts. */
const name = fc.oneof(
  fc.constantFrom('Søren', "O'Neill", 'Çağla', 'ΟΔΥΣΣΕΥΣ', 'Weiß', '각하', 'İ', 'שָׁלוֹם', 'A\u030A'),
  // Marks that no normal form has in this order.
  fc.constantFrom('ก\u0E48\u0E38', 'क\u094D\u093C', 'か\u0301\u3099'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
);

test('every name that contains the lowercase query is found (spec §5)', () => {
  const cut = fc.tuple(name, name, fc.nat(24), fc.nat(24), fc.boolean());
  fc.assert(
    fc.property(cut, ([first_name, last_name, start, length, upper]) => {
      const team = { client_id: 'c_1', client: { first_name, last_name } };
      const full = toFullName(team);
      const part = Array.from(full)
        .slice(start, start + length)
        .join('');
      const query = upper ? part.toUpperCase() : part;
      fc.pre(full.toLowerCase().includes(query.toLowerCase()));
      expect(filterTeams([team], query)).toEqual([team]);
    }),
    { numRuns: toRuns(5000) },
  );
});
