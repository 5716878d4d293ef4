import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';

import type { SenderRole } from '#domain/rules/sender.ts';
import { Announcer } from '#src/chat/room/announcer.tsx';
import type { ThreadRow } from '#src/chat/rows/thread-row.ts';
import type { SearchView } from '#src/actors/search.ts';
import { CoverageLine } from '#src/home/coverage.tsx';
import { SearchCoverageLine } from '#src/sections/search-coverage.tsx';

afterEach(cleanup);

const toRow = (key: string, role: SenderRole, text: string): ThreadRow => ({
  key,
  id: key,
  own: false,
  state: 'sent',
  readable: true,
  text,
  reason: '',
  name: 'Leila Haddad',
  role,
  seed: '',
  startsGroup: true,
  label: 'Today at 3:12 PM',
  time: '3:12 PM',
  repeatsTime: false,
  at: '',
  iso: '2026-11-22T15:12:00.000Z',
  gap: '',
  newAfter: false,
  nextDay: '',
});

const known = [toRow('a', 'staff', 'Earlier.')];

it.each([
  ['staff', 'Leila Haddad: Hello.'],
  ['client', 'Leila Haddad: Hello.'],
  ['unknown', 'Unverified sender Leila Haddad: Hello.'],
  ['unchecked', 'Sender not checked yet, Leila Haddad: Hello.'],
] as const)('a new message of a sender who is %s is announced', (role, spoken) => {
  const { rerender } = render(<Announcer whole={false} rows={known} />);
  expect(screen.getByRole('log').textContent).toBe('');
  rerender(<Announcer whole={false} rows={[...known, toRow('b', role, 'Hello.')]} />);
  expect(screen.getByRole('log').textContent).toBe(spoken);
});

it('messages that arrive together are announced as a number', () => {
  const { rerender } = render(<Announcer whole={false} rows={known} />);
  const many = ['b', 'c', 'd', 'e'].map((key) => toRow(key, 'client', 'Hello.'));
  rerender(<Announcer whole={false} rows={[...known, ...many]} />);
  expect(screen.getByRole('log').textContent).toBe('4 new messages');
});

it('a message that arrives after a later one of the user is announced', () => {
  const own = { ...toRow('mine', 'staff', 'Mine.'), own: true };
  const { rerender } = render(<Announcer whole={false} rows={[...known, own]} />);
  rerender(<Announcer whole={false} rows={[...known, toRow('b', 'client', 'Hello.'), own]} />);
  expect(screen.getByRole('log').textContent).toBe('Leila Haddad: Hello.');
});

it('a message that follows only messages of the user is announced', () => {
  const own = { ...toRow('mine', 'staff', 'Mine.'), own: true };
  const { rerender } = render(<Announcer whole={false} rows={[own]} />);
  rerender(<Announcer whole={false} rows={[own, toRow('b', 'client', 'Hello.')]} />);
  expect(screen.getByRole('log').textContent).toBe('Leila Haddad: Hello.');
});

it('messages that fill a gap before one of the user are not announced', () => {
  const before = { ...toRow('a', 'client', 'Earlier.'), gap: 'filling' as const };
  const own = { ...toRow('mine', 'staff', 'Mine.'), own: true };
  const { rerender } = render(<Announcer whole={false} rows={[before, own]} />);
  const filled = [...known, toRow('b', 'client', 'Missed.'), own];
  rerender(<Announcer whole={false} rows={filled} />);
  expect(screen.getByRole('log').textContent).toBe('');
});

it.each([
  ['a room known to be empty is announced', true, 'Leila Haddad: Hello.'],
  ['a room that was not read yet is not announced', false, ''],
])('the first message of %s', (_what, whole, spoken) => {
  const { rerender } = render(<Announcer whole={whole} rows={[]} />);
  rerender(<Announcer whole rows={[toRow('a', 'client', 'Hello.')]} />);
  expect(screen.getByRole('log').textContent).toBe(spoken);
});

/** Whether a change of a text within a live region is announced (WAI-ARIA, `aria-live`). */
const isAnnounced = (text: RegExp): boolean => {
  const region = screen.getByText(text).closest('[aria-live], [role="status"]');
  return region?.getAttribute('aria-live') !== 'off';
};

it('the number of rooms that are still missing is shown, and not announced at every step', () => {
  const currency = {
    kind: 'online',
    caughtUp: true,
    isFull: false,
    rooms: 45,
    missing: 2,
  } as const;
  render(<CoverageLine currency={currency} />);
  expect(screen.getByRole('status').textContent).toBe('Up to date. 2 of 45 rooms still missing.');
  expect(isAnnounced(/^Up to date/)).toBe(true);
  expect(isAnnounced(/still missing/)).toBe(false);
});

it('the number of hits and a failed search are announced, the growing number of messages is not', () => {
  const coverage = { messages: 1234, since: undefined, isWhole: false };
  const view: SearchView = { state: 'found', hits: [], coverage, total: 3, ignored: [] };
  const { rerender } = render(<SearchCoverageLine view={view} isEmpty={false} hasPlace />);
  expect(isAnnounced(/^3 messages/)).toBe(true);
  expect(isAnnounced(/^Searched 1,234 messages/)).toBe(false);
  const whole = { ...view, total: 0, coverage: { ...coverage, isWhole: true } };
  rerender(<SearchCoverageLine view={whole} isEmpty={false} hasPlace />);
  expect(isAnnounced(/^0 messages/)).toBe(true);
  rerender(<SearchCoverageLine view={{ ...view, state: 'failed' }} isEmpty={false} hasPlace />);
  expect(isAnnounced(/^Couldn't search/)).toBe(true);
});
