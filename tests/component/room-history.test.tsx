import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createElement } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { makeSpace } from '#db/log/retention.ts';
import type { HistoryView } from '#src/actors/desk.ts';
import JumpToUnread from '#src/chat/thread/jump-to-unread.tsx';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import {
  composer,
  findMessage,
  NEVER,
  openFailing,
  PATH,
  ROOM,
  wire,
  withoutLayout,
} from './prepare-page.ts';

withoutLayout();

it('reports that the history could not be loaded, and retries', async () => {
  const page = createDeskPage({ random: NEVER });
  await openFailing(page);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Error loading chatroom!');
  page.world.engine.heal();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await findMessage('one');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

it('a jump to older unread messages requests them again after a failure', async () => {
  const fetchMore = vi.fn<() => void>();
  const showRow = vi.fn<() => void>();
  const history = { state: 'ready', hasMore: true, moreFailed: true, fetchingMore: false };
  const props = { firstKey: 'first', showRow, onRead: () => undefined };
  const above = { count: 60, since: '9:14 AM', index: -1 };
  render(
    createElement(JumpToUnread, {
      ...props,
      above,
      history: { ...history, fetchMore } as unknown as HistoryView,
    }),
  );
  await userEvent.click(screen.getByRole('button', { name: '60 new since 9:14 AM' }));
  expect(fetchMore).toHaveBeenCalledTimes(1);
  expect(showRow).not.toHaveBeenCalled();
});

it('newer messages that cannot be read are reported above those of the device', async () => {
  const page = createDeskPage();
  page.world.engine.write(ROOM, wire('one', 'one'));
  page.open(PATH);
  await findMessage('one');
  await userEvent.click(screen.getByRole('link', { name: 'General' }));
  page.world.engine.fail('history', { kind: 'server', status: 503 });
  await userEvent.click(screen.getByRole('link', { name: 'Team' }));
  await findMessage('one');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Error loading chatroom!');
  const texts: string[] = [];
  const watch = new MutationObserver(() => texts.push(alert.textContent));
  watch.observe(alert, { subtree: true, childList: true, characterData: true });
  // A failure of the user's own attempt is announced, too.
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() =>
    expect(texts).toEqual([
      expect.stringContaining('Trying again…'),
      expect.stringContaining('Error loading chatroom!'),
    ]),
  );
  page.world.engine.heal();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

it('a read that failed without a connection is repeated once there is one, not reported', async () => {
  const page = createDeskPage({ random: NEVER });
  const { engine } = page.world;
  engine.write(ROOM, wire('one', 'one'));
  page.open(PATH);
  await findMessage('one');
  await waitFor(() => expect(engine.openStreams).toBe(1));
  await userEvent.click(screen.getByRole('link', { name: 'General' }));
  engine.fail('history', { kind: 'unreachable' });
  engine.fail('stream', { kind: 'unreachable' });
  act(() => engine.signal({ type: 'ended', error: { kind: 'unreachable' } }));
  const reads = () =>
    engine.calls.filter(({ operation, room }) => operation === 'history' && room === ROOM);
  const before = reads().length;
  await userEvent.click(screen.getByRole('link', { name: 'Team' }));
  await findMessage('one');
  const tryNow = await screen.findByRole('button', { name: 'Try now' });
  await waitFor(() => expect(reads()).toHaveLength(before + 1));
  engine.heal();
  await userEvent.click(tryNow);
  await waitFor(() => expect(reads()).toHaveLength(before + 2));
  const line = screen.getByRole('status', { name: 'Connection' });
  await waitFor(() => expect(line.textContent).toMatch(/^Online/));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('a read that fails again right after the connection returned is reported', async () => {
  const page = createDeskPage({ random: NEVER });
  const { engine } = page.world;
  engine.fail('stream', { kind: 'unreachable' });
  engine.fail('history', { kind: 'server', status: 503 });
  page.open(PATH);
  const tryNow = await screen.findByRole('button', { name: 'Try now' });
  engine.fail('stream', { kind: 'unreachable' }, 0);
  await userEvent.click(tryNow);
  expect((await screen.findByRole('alert')).textContent).toContain('Error loading chatroom!');
});

describe('above the first message', () => {
  const start = () => screen.queryByText('This is the start of the conversation.');

  it('the start of the room appears only when it is known', async () => {
    const page = createDeskPage();
    page.world.engine.fail('history', { kind: 'server', status: 503 });
    page.open(PATH);
    await waitFor(() => expect(page.world.engine.openStreams).toBe(1));
    act(() => void page.world.engine.write(ROOM, wire('live', 'a live one')));
    await findMessage('a live one');
    expect(start()).toBeNull();
    page.world.engine.heal();
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(start()).not.toBeNull());
  });

  it('the start disappears once old history was pruned: it can be fetched again', async () => {
    const page = createDeskPage();
    for (let n = 1; n <= 30; n += 1) page.world.engine.write(ROOM, wire(`m${n}`, `text ${n}.`));
    page.open(PATH);
    await findMessage('text 30.');
    await userEvent.click(await screen.findByRole('button', { name: 'Fetch more' }));
    await waitFor(() => expect(start()).not.toBeNull());
    await makeSpace(page.mustGetStore().database);
    await waitFor(() => expect(start()).toBeNull());
    await userEvent.click(await screen.findByRole('button', { name: 'Fetch more' }));
    await waitFor(() => expect(start()).not.toBeNull());
  });

  it('offline, a text states that older messages are not available', async () => {
    const page = createDeskPage();
    page.world.engine.fail('history', { kind: 'unreachable' });
    page.world.engine.fail('stream', { kind: 'unreachable' });
    page.environment.online = false;
    page.open(PATH);
    await userEvent.type(await composer(), 'mine{Enter}');
    await findMessage('mine');
    await screen.findByText("Older messages aren't downloaded yet.");
    expect(start()).toBeNull();
  });

  it('a failed fetch of older messages is reported and can be retried', async () => {
    const page = createDeskPage();
    for (let n = 1; n <= 30; n += 1) page.world.engine.write(ROOM, wire(`m${n}`, `text ${n}.`));
    page.open(PATH);
    await findMessage('text 30.');
    page.world.engine.fail('history', { kind: 'server', status: 503 });
    page.world.engine.hold();
    const more = await screen.findByRole('button', { name: 'Fetch more' });
    await userEvent.click(more);
    // It has the focus while it is busy.
    await waitFor(() => expect(more.getAttribute('aria-disabled')).toBe('true'));
    expect(document.activeElement).toBe(more);
    expect(more.matches(':disabled')).toBe(false);
    act(() => page.world.engine.release());
    expect((await screen.findByRole('alert')).textContent).toContain('Error loading chatroom!');
    page.world.engine.heal();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(start()).not.toBeNull());
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('a failed fetch of older messages is repeated once the connection returns', async () => {
    const page = createDeskPage({ random: NEVER });
    const { engine } = page.world;
    for (let n = 1; n <= 30; n += 1) engine.write(ROOM, wire(`m${n}`, `text ${n}.`));
    page.open(PATH);
    await findMessage('text 30.');
    await waitFor(() => expect(engine.openStreams).toBe(1));
    engine.fail('history', { kind: 'server', status: 503 });
    await userEvent.click(await screen.findByRole('button', { name: 'Fetch more' }));
    await screen.findByRole('alert');
    engine.fail('stream', { kind: 'unreachable' });
    act(() => engine.signal({ type: 'ended', error: { kind: 'unreachable' } }));
    const tryNow = await screen.findByRole('button', { name: 'Try now' });
    engine.heal();
    await userEvent.click(tryNow);
    await waitFor(() => expect(start()).not.toBeNull());
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
