import 'fake-indexeddb/auto';

import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';

import { toRoomKey } from '#domain/rooms.ts';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

const ROOM = toRoomKey('c_001', 'team');
const TITLE = 'Maya Okafor · Team – Replay Desk Staff Dashboard';

beforeAll(() => {
  // Nothing is laid out here: every element has these sizes, so that all rows are visible.
  const sizes = { offsetHeight: 40, clientHeight: 400, scrollHeight: 400, offsetWidth: 800 };
  for (const [name, size] of Object.entries(sizes)) {
    Object.defineProperty(HTMLElement.prototype, name, { get: () => size });
  }
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const wire = (id: string, text: string) => ({ id, text, clientName: '', clientAvatar: '' });

/** The window gains or loses the focus. */
const focus = (hasFocus: boolean): void =>
  act(() => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(hasFocus);
    window.dispatchEvent(new Event(hasFocus ? 'focus' : 'blur'));
  });

it('what was read stays read for a user who looks away before it is stored', async () => {
  const page = createDeskPage();
  focus(true);
  page.open('/chat/c_001/team');
  await waitFor(() => expect(document.title).toBe(TITLE));
  const store = page.mustGetStore();
  const stored = Promise.withResolvers<void>();
  const append = store.append.bind(store);
  const reading = vi.spyOn(store, 'append').mockImplementation(async (facts, ...rest) => {
    if (facts.some(({ type }) => type === 'v1.RoomRead')) await stored.promise;
    return append(facts, ...rest);
  });
  const isReading = () =>
    reading.mock.calls.some(([facts]) => facts.some(({ type }) => type === 'v1.RoomRead'));
  await waitFor(() => expect(page.world.engine.openStreams).toBe(1));
  focus(false);
  act(() => void page.world.engine.write(ROOM, wire('one', 'seen')));
  await waitFor(() => expect(document.title).toBe(`(1) ${TITLE}`));
  await screen.findByText('New');
  focus(true);
  await waitFor(() => expect(isReading()).toBe(true));
  focus(false);
  expect(document.title).toBe(TITLE);
  expect(screen.queryByText('New')).not.toBeNull();
  act(() => stored.resolve());
  act(() => void page.world.engine.write(ROOM, wire('two', 'later')));
  await waitFor(() => expect(document.title).toBe(`(1) ${TITLE}`));
});
