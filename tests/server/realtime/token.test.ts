import { expect, test } from 'vitest';

import { createTokens } from '#server/realtime/token.ts';

const NOW = 1_700_000_000_000;
const MINUTE_MS = 60_000;
const tokens = createTokens('a secret of the tests, long enough', () => NOW);
const by = 'embedded accounts';
const staff = { uid: 'u_1', sid: 's_1', expires: NOW + 60 * MINUTE_MS };

test('a token states its identity and expires after fifteen minutes', () => {
  const { token, expires } = tokens.forStaff(staff);
  expect(expires).toBe(NOW + 15 * MINUTE_MS);
  expect(tokens.read(token)).toEqual({ kind: 'staff', uid: 'u_1', sid: 's_1', by, expires });
  expect(tokens.read(tokens.forClient('c_001').token)).toMatchObject({
    kind: 'client',
    clientId: 'c_001',
  });
});

test('a staff token never outlives its session', () => {
  expect(tokens.forStaff({ ...staff, expires: NOW + 1000 }).expires).toBe(NOW + 1000);
});

test('an expired token is refused', () => {
  const { token, expires } = tokens.forStaff(staff);
  const later = createTokens('a secret of the tests, long enough', () => expires);
  expect(later.read(token)).toBeUndefined();
});

test('a token that was valid before is refused once it has expired', () => {
  let now = NOW;
  const ageing = createTokens('a secret of the tests, long enough', () => now);
  const { token, expires } = ageing.forStaff(staff);
  now = expires - 1;
  expect(ageing.read(token)).toMatchObject({ uid: 'u_1' });
  now = expires;
  expect(ageing.read(token)).toBeUndefined();
});

test('a token from before a correction of the clock is refused', () => {
  let now = NOW + 24 * 60 * MINUTE_MS;
  const corrected = createTokens('a secret of the tests, long enough', () => now);
  const { token } = corrected.forClient('c_001');
  now -= 1000;
  expect(corrected.read(token)).toMatchObject({ clientId: 'c_001' });
  now = NOW;
  expect(corrected.read(token)).toBeUndefined();
});

test('a token of staff is refused once another authority confirms accounts', () => {
  const hosted = createTokens('a secret of the tests, long enough', () => NOW, 'product API');
  expect(hosted.read(tokens.forStaff(staff).token)).toBeUndefined();
  expect(tokens.read(hosted.forStaff(staff).token)).toBeUndefined();
  expect(hosted.read(tokens.forClient('c_001').token)).toMatchObject({ clientId: 'c_001' });
});

test('a token of another secret is refused', () => {
  const other = createTokens('another secret of the tests, as long', () => NOW);
  expect(tokens.read(other.forStaff(staff).token)).toBeUndefined();
});

test('a changed, truncated or invented token is refused', () => {
  const { token } = tokens.forStaff(staff);
  const [body = '', signature = ''] = token.split('.');
  const claim = JSON.stringify({ kind: 'staff', uid: 'u_2', sid: 's', expires: NOW + 1e9 });
  const forged = Buffer.from(claim).toString('base64url');
  const hostile = [
    '',
    '.',
    '..',
    body,
    `${body}.`,
    `.${signature}`,
    `${forged}.${signature}`,
    `${body}.${signature}.${signature}`,
    `${body}.${signature.slice(0, -2)}`,
    `${body}.${'A'.repeat(signature.length)}`,
    `${body}x.${signature}`,
    'null.null',
    '\u0000.\uFFFF',
    'x'.repeat(100_000),
  ];
  expect(hostile.filter((value) => tokens.read(value) !== undefined)).toEqual([]);
});
