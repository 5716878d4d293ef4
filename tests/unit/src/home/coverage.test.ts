import { describe, expect, it } from 'vitest';

import { toFreshness, toMissing } from '#src/home/coverage.tsx';

describe('the status line of Home', () => {
  const current = { kind: 'online', caughtUp: true, isFull: false, rooms: 45, missing: 0 } as const;

  it.each([
    [{}, 'Up to date.'],
    [{ missing: undefined }, 'Up to date.'],
    [{ missing: 2 }, 'Up to date. 2 of 45 rooms still missing.'],
    [{ missing: 45 }, 'Up to date. 45 of 45 rooms still missing.'],
    [{ caughtUp: false }, 'Loading what you missed…'],
    [{ isFull: true }, "This device's storage is full: newer messages may be missing."],
    [{ kind: 'connecting' }, 'Connecting…'],
    [{ kind: 'offline' }, 'Offline. Showing messages up to 9:14 AM.'],
    [
      { kind: 'waiting', missing: 1 },
      "Can't reach the server. Showing messages up to 9:14 AM. 1 of 45 rooms still missing.",
    ],
  ] as const)('for %o is: %s', (over, text) => {
    const currency = { ...current, ...over };
    expect(`${toFreshness(currency, '9:14 AM')}${toMissing(currency)}`).toBe(text);
  });

  it('names no time if there is none', () => {
    expect(toFreshness({ ...current, kind: 'offline' }, '')).toBe(
      'Offline. Showing saved messages.',
    );
  });
});
