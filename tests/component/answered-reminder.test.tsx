import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { toReminderValue } from '#domain/schemas/marks.ts';
import { fromEpochMs } from '#domain/timetoken.ts';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import { composer, findMessage, PATH, ROOM, wire, withoutLayout } from './prepare-page.ts';

withoutLayout();

/** Later than the clock of the engine. */
const DUE = Date.parse('2026-03-02T09:00:00.000Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: DUE + 60_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const button = (name: RegExp) => screen.findByRole('button', { name });

/** Opens a room with a reminder for `due`, ms since the epoch. */
const openReminded = async (due: number) => {
  const page = createDeskPage();
  const { timetoken: upTo } = page.world.engine.write(ROOM, wire('first', 'Any news?'));
  page.open(PATH);
  await findMessage('Any news?');
  const store = page.mustGetStore();
  const value = toReminderValue({ due: fromEpochMs(due), upTo });
  await act(() => store.recordMarks([{ kind: 'reminder', room: ROOM, value }]));
  await button(/^Follow up\. Reminder: /);
  return { ...page, record: vi.spyOn(store, 'recordMarks') };
};

it('a morning is set as its button shows it, also after midnight', async () => {
  const evening = new Date(2026, 2, 3, 23, 59).getTime();
  const due = new Date(2026, 2, 4, 9).getTime();
  vi.setSystemTime(evening);
  const { record } = await openReminded(DUE);
  await userEvent.click(await button(/^Follow up/));
  const morning = await button(/^Tomorrow morning/);
  expect(morning.textContent).toContain('Wed 4 Mar, 9:00 AM');
  // The time passes before the labels change.
  vi.setSystemTime(due + 1);
  await userEvent.click(morning);
  expect(morning.textContent).toContain('Thu 5 Mar, 9:00 AM');
  expect(record).not.toHaveBeenCalled();
  vi.setSystemTime(new Date(2026, 2, 5, 0, 1));
  await userEvent.click(morning);
  const [mark] = record.mock.calls[0]?.[0] ?? [];
  expect(mark?.value).toMatch(new RegExp(`^${fromEpochMs(new Date(2026, 2, 5, 9).getTime())}\\.`));
});

it("the user's answer ends a reminder that is due", async () => {
  const { world, record } = await openReminded(DUE);
  world.engine.fail('publish', { kind: 'unreachable' });
  await userEvent.type(await composer(), 'It is on its way.{Enter}');
  await button(/^Follow up$/);
  expect(record).toHaveBeenCalledTimes(1);
});

it('an answer leaves a reminder for later', async () => {
  const { record } = await openReminded(DUE + 3_600_000);
  await userEvent.type(await composer(), 'It is on its way.{Enter}');
  await findMessage('It is on its way.');
  await waitFor(async () =>
    expect((await findMessage('It is on its way.')).dataset['state']).toBe('sent'),
  );
  expect(record).not.toHaveBeenCalled();
});

it('an earlier message of the user that arrives late ends no reminder', async () => {
  const { world, record } = await openReminded(DUE);
  await waitFor(() => expect(world.engine.openStreams).toBe(1));
  const { signal } = new AbortController();
  await act(() => world.engine.publish(ROOM, wire('mine', 'I wrote this yesterday.'), signal));
  await findMessage('I wrote this yesterday.');
  expect(record).not.toHaveBeenCalled();
});

it('an answer from another device ends no reminder, which the user may have moved there', async () => {
  // Due for an hour by the clock of the engine.
  const due = Date.parse('2026-03-01T11:00:00.000Z');
  const { world, record } = await openReminded(due);
  await waitFor(() => expect(world.engine.openStreams).toBe(1));
  const { signal } = new AbortController();
  await act(() => world.engine.publish(ROOM, wire('mine', 'It is on its way.'), signal));
  const row = await findMessage('It is on its way.');
  expect(Date.parse(row.querySelector('time')?.dateTime ?? '')).toBeGreaterThanOrEqual(due);
  expect(record).not.toHaveBeenCalled();
});
