import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseProducers } from '#domain/schemas/producer.ts';
import { parseTeams } from '#domain/schemas/team.ts';
import { parseEnvelope } from '#domain/upcast.ts';

import { toRuns } from '#tests/support/property-seed.ts';
import { arbitraryFact } from './arbitrary-facts.ts';
import { BOUNDARIES } from './boundaries.ts';

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withTypedArray: true,
  maxDepth: 3,
});

/** A valid value with one of its fields, at any depth, replaced or removed. */
const damage = (value: unknown, path: readonly number[], by: unknown): unknown => {
  if (typeof value !== 'object' || value === null || path.length === 0) return by;
  const keys = Object.keys(value);
  const key = keys[(path[0] ?? 0) % Math.max(keys.length, 1)];
  if (key === undefined) return by;
  const copy: Record<string, unknown> = { ...value };
  const inner = damage(copy[key], path.slice(1), by);
  if (inner === undefined) Reflect.deleteProperty(copy, key);
  else copy[key] = inner;
  return Array.isArray(value) ? Object.values(copy) : copy;
};
const arbitraryPath = fc.array(fc.nat({ max: 9 }), { maxLength: 3 });

describe.each(BOUNDARIES.map((boundary) => [boundary.name, boundary] as const))(
  '%s',
  (_name, { read, valid }) => {
    /** An accepted value has the declared shape, so that parsing it again changes nothing. */
    const readTwice = (value: unknown): readonly [once: unknown, twice: unknown] => {
      const once = read(value);
      return [once, once === undefined ? undefined : read(once)];
    };

    it('passes every valid value unchanged, even through JSON', () => {
      fc.assert(
        fc.property(valid, (value) => {
          expect(read(value)).toEqual(value);
          const sent: unknown = JSON.parse(JSON.stringify(value));
          expect(read(sent)).toEqual(sent);
        }),
      );
    });

    it('never throws and returns only known fields', () => {
      fc.assert(
        fc.property(anything, (value) => {
          const [once, twice] = readTwice(value);
          expect(twice).toEqual(once);
        }),
        { numRuns: toRuns(500) },
      );
    });

    it('never throws on a damaged value and returns only known fields', () => {
      const by = fc.oneof(anything, fc.constant(undefined));
      fc.assert(
        fc.property(valid, arbitraryPath, by, (value, path, by) => {
          const [once, twice] = readTwice(damage(value, path, by));
          expect(twice).toEqual(once);
        }),
        { numRuns: toRuns(500) },
      );
    });

    it('drops unknown fields', () => {
      fc.assert(
        fc.property(valid, (value) => {
          const more = { ...(value as object), ofANewerVersion: 1 };
          const once = read(more) ?? value;
          expect(once).toEqual(value);
        }),
      );
    });
  },
);

describe('a list', () => {
  it('loses an invalid entry alone, not the others', () => {
    const producer = { uid: 'u', name: 'n' };
    const team = { client_id: 'c', client: { first_name: 'a', last_name: 'b' } };
    fc.assert(
      fc.property(anything, (bad) => {
        const [producers, teams] = [
          parseProducers([producer, bad, producer]),
          parseTeams([team, bad, team]) ?? [],
        ];
        expect([producers.at(0), producers.at(-1)]).toEqual([producer, producer]);
        expect([teams.at(0), teams.at(-1)]).toEqual([team, team]);
        expect(parseProducers(bad).length === 0 || Array.isArray(bad)).toBe(true);
        expect(parseTeams(bad) === undefined || Array.isArray(bad)).toBe(true);
      }),
    );
  });
});

describe('a row of the log', () => {
  it('is known, of a newer version, or malformed, whatever its value', () => {
    fc.assert(
      fc.property(anything, arbitraryFact, arbitraryPath, (by, fact, path) => {
        const good = { seq: 1, key: 'k', at: 0, fact };
        expect(parseEnvelope(good)).toEqual({ kind: 'known', envelope: good });
        const read = parseEnvelope(damage(good, path, by));
        expect(['known', 'unknown', 'malformed']).toContain(read.kind);
        const again = read.kind === 'known' ? parseEnvelope(read.envelope) : read;
        expect(again).toEqual(read);
      }),
      { numRuns: toRuns(1000) },
    );
  });
});
