import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import { isClientId } from '#domain/rooms.ts';
import { isTimetoken } from '#domain/timetoken.ts';
import { createSessionSeal } from '#server/auth/session-seal.ts';
import { parseConfig } from '#server/config/config.ts';
import { VARIABLES } from '#server/config/schema.ts';
import { parseApiProducers, parseApiTeams } from '#server/product-api/lists.ts';
import { apiPersonSchema } from '#server/product-api/person.ts';
import { parsePublish } from '#server/realtime/publish-request.ts';
import { parseCounts, parseHistoryQuery, parseStreamQuery } from '#server/realtime/queries.ts';
import { createTokens } from '#server/realtime/token.ts';
import { anyCharacter } from '#tests/support/any-character.ts';
import { toRuns } from '#tests/support/property-seed.ts';

const SECRET = 'a secret of the tests, long enough to be one';
const NOW = 1_800_000_000_000;

const text = fc.string({ unit: anyCharacter, maxLength: 40 });
const jsonText = fc.oneof(text, fc.json({ maxDepth: 4 }));
const timetoken = fc.stringMatching(/^\d{17}$/);

/** Valid fields mixed with invalid ones. */
const mixed = (good: fc.Arbitrary<unknown>) => fc.oneof(good, good, text, fc.jsonValue());

describe('POST publish', () => {
  const message = fc.record(
    { id: mixed(fc.uuid()), text: mixed(text), more: fc.jsonValue() },
    { requiredKeys: [] },
  );
  const body = fc.oneof(
    jsonText,
    fc
      .record({ channel: mixed(text), message: fc.oneof(message, fc.jsonValue()) })
      .map((value) => JSON.stringify(value)),
  );

  it('accepts a channel and a message with id and text unchanged, or returns the reason', () => {
    fc.assert(
      fc.property(body, (body) => {
        const read = parsePublish(body);
        const refusal = read.ok ? undefined : read.error;
        expect([undefined, 400, 413]).toContain(refusal?.status);
        expect(refusal?.text).not.toBe('');
        fc.pre(read.ok);
        const { channel, id, message } = read.value;
        const sent = JSON.parse(body) as { channel: unknown; message: { id: unknown } };
        expect([channel, id]).toEqual([sent.channel, sent.message.id]);
        expect(JSON.parse(message)).toEqual(sent.message);
        expect(id.isWellFormed() && id.length > 0 && id.length <= 128).toBe(true);
        expect(Buffer.byteLength(message)).toBeLessThanOrEqual(MESSAGE_BYTES_MAX);
        const again = JSON.stringify({ channel, message: JSON.parse(message) as unknown });
        expect(parsePublish(again)).toEqual(read);
      }),
      { numRuns: toRuns(2000) },
    );
  });
});

describe('queries', () => {
  const params = fc.dictionary(
    fc.constantFrom('channel', 'count', 'bytes', 'before', 'after', 'cursor', '__proto__', 'x'),
    fc.oneof(timetoken, fc.nat({ max: 999 }).map(String), text),
  );

  it('return numbers within their limits and timetokens, or name the wrong parameter', () => {
    fc.assert(
      fc.property(params, (params) => {
        const history = parseHistoryQuery(params);
        const { count, bytes, before, after } = history.ok
          ? history.value
          : { count: 1, bytes: undefined, before: undefined, after: undefined };
        expect(count >= 1 && count <= 100).toBe(true);
        expect(bytes === undefined || (bytes >= 1 && bytes < 1e7)).toBe(true);
        const bounds = [before, after].filter((bound) => bound !== undefined);
        expect(bounds.every(isTimetoken)).toBe(true);
        const stream = parseStreamQuery(params);
        expect(stream.ok).toBe(params['cursor'] === undefined || isTimetoken(params['cursor']));
        const refusals = [history, stream].flatMap((read) => (read.ok ? [] : [read.error.status]));
        expect(refusals.every((status) => status === 400)).toBe(true);
      }),
      { numRuns: toRuns(2000) },
    );
  });

  it('count after valid timetokens only', () => {
    const since = fc.dictionary(text, fc.oneof(timetoken, timetoken, text));
    const body = fc.oneof(
      jsonText,
      since.map((since) => JSON.stringify({ since })),
    );
    fc.assert(
      fc.property(body, (body) => {
        const read = parseCounts(body);
        const all = read.ok ? read.value : [];
        expect(all.every(([channel, after]) => channel !== '__proto__' && isTimetoken(after))).toBe(
          true,
        );
      }),
      { numRuns: toRuns(2000) },
    );
  });
});

describe('sealed and signed values', () => {
  const tokens = createTokens(SECRET, () => NOW);
  const seal = createSessionSeal(SECRET, 'embedded accounts');

  it('tokens are read back unchanged, and no other text is valid', () => {
    // An empty uid is not valid: it would be the owner of the staff log.
    const uids = text.filter((uid) => uid !== '');
    fc.assert(
      fc.property(uids, text, text, fc.nat(), (uid, sid, noise, at) => {
        const { token, expires } = tokens.forStaff({ uid, sid, expires: NOW + 1000 });
        const [known, wild] = [uid.toWellFormed(), sid.toWellFormed()];
        const by = 'embedded accounts';
        expect(tokens.read(token)).toEqual({ kind: 'staff', uid: known, sid: wild, by, expires });
        expect(tokens.read(noise)).toBeUndefined();
        const cut = at % token.length;
        const changed = `${token.slice(0, cut)}${noise}${token.slice(cut)}`;
        const read = tokens.read(changed);
        // Characters that base64 ignores do not change the signed content.
        expect(read === undefined || read.expires === expires).toBe(true);
      }),
      { numRuns: toRuns(500) },
    );
    const nobody = tokens.forStaff({ uid: '', sid: 'a', expires: NOW + 1000 });
    expect(tokens.read(nobody.token)).toBeUndefined();
  });

  it('sessions are read back unchanged, and no other text is valid', async () => {
    const user = fc.record({ uid: fc.string({ minLength: 1, maxLength: 128 }), name: text });
    await fc.assert(
      fc.asyncProperty(user, text, async ({ uid, name }, noise) => {
        const known = { user: { uid, name: name.toWellFormed() }, sid: 's' };
        const session = { ...known, startedAt: NOW, issuedAt: NOW, expires: NOW + 60_000 };
        const sealed = await seal.seal(session);
        expect(await seal.open(sealed, NOW)).toEqual(session);
        expect(await seal.open(sealed, NOW + 60_000)).toBeUndefined();
        expect(await seal.open(noise, NOW)).toBeUndefined();
        expect(await seal.open(`${sealed}${noise.trim()}x`, NOW)).toBeUndefined();
      }),
      { numRuns: toRuns(300) },
    );
  });
});

describe('answers of the product API', () => {
  const id = fc.oneof(fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), fc.nat(), text, fc.jsonValue());
  const person = fc.record(
    {
      uid: id,
      id,
      name: mixed(text),
      first_name: mixed(text),
      email: mixed(text),
      role: mixed(text),
    },
    { requiredKeys: [] },
  );
  const team = fc.record(
    {
      client_id: id,
      client: fc.oneof(
        fc.record({ first_name: mixed(text) }, { requiredKeys: [] }),
        fc.jsonValue(),
      ),
    },
    { requiredKeys: [] },
  );
  const lists = fc.oneof(fc.array(fc.oneof(person, team)), fc.jsonValue());

  it('return clients with an id and staff with a uid, each once, or nothing', () => {
    fc.assert(
      fc.property(lists, (value) => {
        const [teams, producers] = [parseApiTeams(value), parseApiProducers(value)];
        const clients = teams.ok ? teams.value.entries.map(({ client_id }) => client_id) : [];
        const staff = producers.ok ? producers.value.entries.map(({ uid }) => uid) : [];
        expect(clients.every(isClientId)).toBe(true);
        expect(staff.every((uid) => uid.length > 0 && uid.length <= 128)).toBe(true);
        expect([new Set(clients).size, new Set(staff).size]).toEqual([
          clients.length,
          staff.length,
        ]);
      }),
      { numRuns: toRuns(2000) },
    );
  });

  it('return a person with a uid and a known role', () => {
    fc.assert(
      fc.property(fc.oneof(person, fc.anything()), (value) => {
        const { data } = apiPersonSchema.safeParse(value);
        if (data === undefined) return;
        expect(data.uid.length > 0 && data.uid.length <= 128).toBe(true);
        expect(['producer', 'team']).toContain(data.role);
        expect(apiPersonSchema.parse(data)).toEqual(data);
      }),
      { numRuns: toRuns(2000) },
    );
  });
});

describe('the environment', () => {
  const value = fc.oneof(text, fc.nat().map(String), fc.constantFrom('true', 'https://a.example'));
  /** Few at a time, so that sometimes all are valid. */
  const environment = fc.dictionary(
    fc.oneof(fc.constantFrom(...VARIABLES.map(({ name }) => name)), text),
    value,
    { maxKeys: 2 },
  );

  it('is a complete configuration or a list of reasons without secrets', () => {
    fc.assert(
      fc.property(environment, text, (variables, noise) => {
        const secret = `of the test alone ${noise}`.trim();
        const read = parseConfig({ ...variables, AUTH_SECRET: secret });
        const reasons = read.ok ? ['none'] : read.error;
        expect(reasons.length).toBeGreaterThan(0);
        expect(reasons.join()).not.toContain(secret);
        fc.pre(read.ok);
        const { port, sessionMaxAgeMs, publicUrl } = read.value;
        expect(port >= 0 && port <= 65_535).toBe(true);
        expect(sessionMaxAgeMs).toBeGreaterThanOrEqual(1000);
        expect(publicUrl === undefined || new URL(publicUrl).origin === publicUrl).toBe(true);
      }),
      { numRuns: toRuns(2000) },
    );
  });
});
