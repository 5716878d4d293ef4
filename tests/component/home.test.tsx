import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';

import { summariesOf } from '#db/read/summary-model.ts';
import type { MarkChange } from '#domain/ports/storage.ts';
import { ROOM_IDS, type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { toReminderValue } from '#domain/schemas/marks.ts';
import { fromEpochMs, toEpochMs } from '#domain/timetoken.ts';
import { setDraft, toDraftKey } from '#src/drafts/drafts.ts';
import { at, received } from '#tests/support/facts.ts';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import { withoutLayout } from './prepare-page.ts';

withoutLayout();

it('the focus stays at an entry that the user has moved to before “Done” is stored', async () => {
  const page = createDeskPage();
  page.open('/');
  const list = () => [...document.querySelectorAll<HTMLElement>('[data-entry]')];
  const store = await waitFor(() => page.mustGetStore());
  const waiting = ROOM_IDS.map((id, n) =>
    received(at(n + 1), { room: toRoomKey('c_001', id), publisher: 'client:c_001' }),
  );
  await act(() => store.append(waiting));
  await waitFor(() => expect(list()).toHaveLength(3));
  const [first, second, third] = list();
  const record = store.recordMarks.bind(store);
  const held = Promise.withResolvers<void>();
  const marked = vi.spyOn(store, 'recordMarks').mockImplementation(async (marks) => {
    await held.promise;
    return record(marks);
  });
  first?.focus();
  await userEvent.keyboard('e');
  await waitFor(() => expect(marked).toHaveBeenCalledTimes(1));
  await userEvent.keyboard('j');
  expect(document.activeElement).toBe(second);
  await act(async () => held.resolve());
  await waitFor(() => expect(list()).toEqual([second, third]));
  expect(document.activeElement).toBe(second);
});

it('while the server stays away, another attempt changes nothing in what Home shows', async () => {
  const page = createDeskPage();
  const { engine } = page.world;
  page.open('/');
  const coverage = await screen.findByRole('status', { name: 'Coverage' });
  await waitFor(() => expect(engine.openStreams).toBe(1));
  engine.fail('stream', { kind: 'unreachable' });
  act(() => engine.signal({ type: 'ended', error: { kind: 'unreachable' } }));
  await waitFor(() => expect(coverage.textContent).toMatch(/^Can't reach the server\./));
  const shown: (string | null)[] = [];
  const watcher = new MutationObserver(() => shown.push(coverage.textContent));
  watcher.observe(coverage, { childList: true, characterData: true, subtree: true });
  const attempts = () => engine.calls.filter(({ operation }) => operation === 'stream').length;
  const before = attempts();
  await userEvent.click(screen.getByRole('button', { name: 'Try now' }));
  await waitFor(() => expect(attempts()).toBeGreaterThan(before));
  await screen.findByRole('button', { name: 'Try now' });
  expect(shown.filter((text) => text?.startsWith('Connecting'))).toEqual([]);
  engine.heal();
  await userEvent.click(screen.getByRole('button', { name: 'Try now' }));
  await waitFor(() => expect(coverage.textContent).not.toMatch(/^Can't reach/));
  watcher.disconnect();
});

it('a reply that was begun as a draft also ends the reminder of its room', async () => {
  const page = createDeskPage();
  const room = toRoomKey('c_001', 'team');
  setDraft(toDraftKey('u_me', room), 'On my way');
  page.open('/');
  const store = await waitFor(() => page.mustGetStore());
  const due = fromEpochMs(Date.now() - 1000);
  const value = toReminderValue({ due, upTo: at(1) });
  await act(() => store.append([received(at(1), { room, publisher: 'client:c_001' })]));
  await act(() => store.recordMarks([{ kind: 'reminder', room, value }]));
  await screen.findByRole('heading', { name: /^Reminders/ });
  const drafts = (await screen.findByRole('heading', { name: /^Drafts/ })).closest('section');
  const entry = drafts?.querySelector<HTMLElement>('[data-entry]');
  entry?.focus();
  const record = vi.spyOn(store, 'recordMarks');
  await userEvent.keyboard('r');
  await userEvent.type(await screen.findByRole('textbox'), '{Enter}');
  await waitFor(() => expect(record).toHaveBeenCalledTimes(1));
  expect(record.mock.calls[0]?.[0]).toMatchObject([{ kind: 'reminder', room }]);
});

it('a reply leaves a reminder that was postponed while it was written', async () => {
  const page = createDeskPage();
  const room = toRoomKey('c_001', 'team');
  page.open('/');
  const store = await waitFor(() => page.mustGetStore());
  const remind = (delayMs: number) => {
    const value = toReminderValue({ due: fromEpochMs(Date.now() + delayMs), upTo: at(1) });
    return act(() => store.recordMarks([{ kind: 'reminder', room, value }]));
  };
  await act(() => store.append([received(at(1), { room, publisher: 'client:c_001' })]));
  await remind(-1000);
  await screen.findByRole('heading', { name: /^Reminders/ });
  document.querySelector<HTMLElement>('[data-entry]')?.focus();
  await userEvent.keyboard('r');
  const field = await screen.findByRole('textbox');
  await remind(24 * 3600 * 1000);
  const findDue = () => summariesOf(store.database).get()?.get(room)?.reminder?.due ?? at(0);
  await waitFor(() => expect(toEpochMs(findDue())).toBeGreaterThan(Date.now()));
  const record = vi.spyOn(store, 'recordMarks');
  await userEvent.type(field, 'On my way{Enter}');
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  expect(record).not.toHaveBeenCalled();
});

it('a room that cannot be marked as done stays unread', async () => {
  const page = createDeskPage();
  page.open('/');
  const list = () => [...document.querySelectorAll<HTMLElement>('[data-entry]')];
  const store = await waitFor(() => page.mustGetStore());
  const room = toRoomKey('c_001', 'team');
  await act(() => store.append([received(at(1), { room, publisher: 'client:c_001' })]));
  await waitFor(() => expect(list()).toHaveLength(1));
  vi.spyOn(store, 'recordMarks').mockResolvedValue({ ok: false, error: { kind: 'quota' } });
  const read = vi.spyOn(store, 'findRead');
  list()[0]?.focus();
  await userEvent.keyboard('e');
  await screen.findByText(/^This device's storage is full/);
  expect(read).not.toHaveBeenCalled();
});

it('after an answer the focus stays on a reminder for later, and then moves on', async () => {
  const page = createDeskPage();
  page.open('/');
  const store = await waitFor(() => page.mustGetStore());
  const [later, due, waiting] = ROOM_IDS.map((id) => toRoomKey('c_001', id));
  if (!later || !due || !waiting) throw new Error('no rooms');
  const facts = [later, due, waiting].map((room, n) =>
    received(at(n + 1), { room, publisher: 'client:c_001' }),
  );
  await act(() => store.append(facts));
  const toMark = (room: RoomKey, inMs: number): MarkChange => {
    const value = toReminderValue({ due: fromEpochMs(Date.now() + inMs), upTo: at(3) });
    return { kind: 'reminder', room, value };
  };
  await act(() => store.recordMarks([toMark(later, 3_600_000), toMark(due, -1000)]));
  const links = () => [...document.querySelectorAll<HTMLElement>('[data-entry]')];
  const ids = () => links().map(({ dataset }) => dataset['entry']);
  const focused = () => document.activeElement?.getAttribute('data-entry');
  const all = [`reminders:${due}`, `reminders:${later}`, `waiting:${waiting}`];
  await waitFor(() => expect(ids()).toEqual(all));
  links()[1]?.focus();
  await userEvent.keyboard('r');
  await userEvent.type(await screen.findByRole('textbox'), 'On it{Enter}');
  await waitFor(() => expect(focused()).toBe(`reminders:${later}`));
  await userEvent.keyboard('ke');
  // The reminder for later moves to the end: the focus does not follow it.
  await waitFor(() => expect(ids()).toEqual([`waiting:${waiting}`, `reminders:${later}`]));
  await waitFor(() => expect(focused()).toBe(`waiting:${waiting}`));
});

it('after an answer in the last entry the focus is on none above it, nor on a later reminder', async () => {
  const page = createDeskPage();
  page.open('/');
  const store = await waitFor(() => page.mustGetStore());
  const [first, second] = ROOM_IDS.map((id) => toRoomKey('c_001', id));
  if (!first || !second) throw new Error('no rooms');
  const facts = [first, second].map((room, n) =>
    received(at(n + 1), { room, publisher: 'client:c_001' }),
  );
  await act(() => store.append(facts));
  const link = (id: string) => document.querySelector<HTMLElement>(`[data-entry="${id}"]`);
  const answer = async (room: RoomKey): Promise<void> => {
    await waitFor(() => expect(link(`waiting:${room}`)).not.toBeNull());
    link(`waiting:${room}`)?.focus();
    await userEvent.keyboard('r');
    await userEvent.type(await screen.findByRole('textbox'), 'On it{Enter}');
    await waitFor(() => expect(link(`waiting:${room}`)).toBeNull());
  };
  await answer(second);
  expect(document.activeElement?.querySelector('h1')).not.toBeNull();
  const value = toReminderValue({ due: fromEpochMs(Date.now() + 3_600_000), upTo: at(9) });
  await act(() => store.recordMarks([{ kind: 'reminder', room: second, value }]));
  await waitFor(() => expect(link(`reminders:${second}`)).not.toBeNull());
  await answer(first);
  expect(document.activeElement?.querySelector('h1')).not.toBeNull();
});

it('a text that is continued after a reply acts on no other entry', async () => {
  const page = createDeskPage();
  page.open('/');
  const list = () => [...document.querySelectorAll<HTMLElement>('[data-entry]')];
  const store = await waitFor(() => page.mustGetStore());
  const from = (id: string) =>
    received(at(Number(id)), {
      room: toRoomKey(`c_00${id}`, 'team'),
      publisher: `client:c_00${id}`,
    });
  await act(() => store.append([from('1'), from('2')]));
  await waitFor(() => expect(list()).toHaveLength(2));
  list()[0]?.focus();
  await userEvent.keyboard('r');
  await userEvent.type(await screen.findByRole('textbox'), 'ok{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(list()[0]));
  const record = vi.spyOn(store, 'recordMarks');
  const type = (keys: string): void => {
    for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key });
  };
  type('Are you there?');
  expect(fireEvent.keyDown(list()[0]!, { key: 'Enter' })).toBe(false);
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(record).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(list()[0]);
});
