import { expect, test } from 'vitest';

import { toSeenLabel } from '#domain/text/seen-label.ts';

const at = (text: string): number => new Date(text).getTime();
const NOW = at('2026-03-01T15:30:00');

test.each([
  ['2026-03-01T15:30:40', 'just now'],
  ['2026-03-01T15:28:30', 'just now'],
  ['2026-03-01T15:18:00', '12 minutes ago'],
  ['2026-03-01T09:05:00', 'today at 9:05 AM'],
  ['2026-02-28T23:59:00', 'yesterday at 11:59 PM'],
  ['2026-02-27T23:59:00', 'on 27 February'],
  ['2025-12-24T12:00:00', 'on 24 December 2025'],
])('%s was %s', (text, label) => {
  expect(toSeenLabel(at(text), NOW)).toBe(label);
});

test.each([8.64e15 + 1, -8.64e15 - 1, 1e300])('%d ms is outside the range of a date', (ms) => {
  expect(toSeenLabel(ms, NOW)).toBe('at an unknown time');
});
