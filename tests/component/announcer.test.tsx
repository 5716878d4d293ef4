import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';

import type { SenderRole } from '#domain/rules/sender.ts';
import { Announcer } from '#src/chat/room/announcer.tsx';
import type { ThreadRow } from '#src/chat/rows/thread-row.ts';

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

it('messages that come together are announced as a number', () => {
  const { rerender } = render(<Announcer whole={false} rows={known} />);
  const many = ['b', 'c', 'd', 'e'].map((key) => toRow(key, 'client', 'Hello.'));
  rerender(<Announcer whole={false} rows={[...known, ...many]} />);
  expect(screen.getByRole('log').textContent).toBe('4 new messages');
});

it.each([
  ['a room known to be empty is announced', true, 'Leila Haddad: Hello.'],
  ['a room that was not read yet is not announced', false, ''],
])('the first message of %s', (_what, whole, spoken) => {
  const { rerender } = render(<Announcer whole={whole} rows={[]} />);
  rerender(<Announcer whole rows={[toRow('a', 'client', 'Hello.')]} />);
  expect(screen.getByRole('log').textContent).toBe(spoken);
});
