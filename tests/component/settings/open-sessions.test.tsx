import 'fake-indexeddb/auto';

import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { AppError } from '#domain/errors.ts';
import type { OpenSessionsApi } from '#domain/ports/network.ts';
import { fail, ok } from '#domain/result.ts';
import type { OpenSession } from '#domain/schemas/open-session.ts';
import { createDeskPage, type DeskPage } from '#tests/support/scenes/desk-page.tsx';

const HOUR_MS = 3_600_000;

let sessions: OpenSession[];
let available: boolean;
let failure: AppError | undefined;
/** Holds the answers to requests that begin meanwhile. */
let listHeld: Promise<void>;
/** The part of the page that asks for the sessions does not load. */
let isLost: boolean;
/** Requests for the list so far. */
let loads: number;
let ended: string[];
let desk: DeskPage;

const toSession = (handle: string, device: string, current = false): OpenSession => {
  const now = Date.now();
  return { handle, device, current, since: now - 400 * 24 * HOUR_MS, lastSeen: now - HOUR_MS / 2 };
};

const openSessions: OpenSessionsApi = {
  list: async () => {
    loads += 1;
    const answer = failure === undefined ? ok({ available, sessions }) : fail(failure);
    await listHeld;
    return answer;
  },
  end: async (handle) => {
    if (failure !== undefined) return fail(failure);
    ended.push(handle);
    sessions = sessions.filter((session) => session.handle !== handle);
    return ok(undefined);
  },
  endOthers: async () => {
    sessions = sessions.filter(({ current }) => current);
    return ok(undefined);
  },
};

beforeEach(() => {
  available = true;
  failure = undefined;
  listHeld = Promise.resolve();
  isLost = false;
  loads = 0;
  ended = [];
  sessions = [
    toSession('phone', 'Safari on iPhone'),
    toSession('here', 'Chrome on Windows', true),
    toSession('old', 'Firefox on Linux'),
  ];
  desk = createDeskPage({
    openSessionsApi: async () => {
      if (isLost) throw new TypeError('Failed to fetch dynamically imported module');
      return openSessions;
    },
  });
});
afterEach(cleanup);

const open = async (): Promise<HTMLElement> => {
  desk.open('/settings');
  return screen.findByRole('region', { name: 'Sessions' });
};

const findRows = async (region: HTMLElement): Promise<readonly HTMLElement[]> =>
  within(region).findAllByRole('listitem');

test('the page lists devices, this one first, with their start and last use', async () => {
  const region = await open();
  const rows = await findRows(region);
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^Chrome on WindowsThis deviceSigned in on \d+ \w+ \d{4}Sign out$/),
    expect.stringMatching(/^Safari on iPhoneSigned in .*Last seen 30 minutes agoSign out$/),
    expect.stringMatching(/^Firefox on Linux/),
  ]);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Settings');
  const later = screen.getByText('Coming later: appearance and stored data on this device.');
  expect(region.compareDocumentPosition(later)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('each button names the device that it signs out', async () => {
  const region = await open();
  await findRows(region);
  const buttons = within(region).getAllByRole('button', { name: 'Sign out' });
  const described = buttons.map((button) => {
    const id = button.getAttribute('aria-describedby') ?? '';
    return document.querySelector(`[id="${id}"]`)?.textContent;
  });
  const devices = ['Chrome on Windows', 'Safari on iPhone', 'Firefox on Linux'];
  expect(described).toEqual(devices.map((device) => expect.stringContaining(device)));
});

test('another session ends and leaves the list; then all others do', async () => {
  const region = await open();
  await findRows(region);
  const [, phone] = within(region).getAllByRole('button', { name: 'Sign out' });
  await userEvent.click(phone as HTMLElement);
  await waitFor(() => expect(within(region).queryByText('Safari on iPhone')).toBeNull());
  expect(ended).toEqual(['phone']);
  await userEvent.click(within(region).getByRole('button', { name: 'Sign out all others' }));
  await within(region).findByText("You're signed in on this device only.");
  expect(await findRows(region)).toHaveLength(1);
  expect(within(region).queryByRole('button', { name: 'Sign out all others' })).toBeNull();
});

test('a list that arrives after a later one does not bring an ended session back', async () => {
  const region = await open();
  await findRows(region);
  const held = Promise.withResolvers<void>();
  listHeld = held.promise;
  desk.environment.set('offline');
  await within(region).findByText(/^You're offline\./);
  desk.environment.set('online');
  await waitFor(() => expect(loads).toBe(2));
  listHeld = Promise.resolve();
  const [, phone] = within(region).getAllByRole('button', { name: 'Sign out' });
  await userEvent.click(phone as HTMLElement);
  await waitFor(() => expect(within(region).queryByText('Safari on iPhone')).toBeNull());
  await act(async () => held.resolve());
  expect(await findRows(region)).toHaveLength(2);
});

test('this session signs out in the same way as from the menu', async () => {
  const region = await open();
  await findRows(region);
  const [here] = within(region).getAllByRole('button', { name: 'Sign out' });
  await userEvent.click(here as HTMLElement);
  await screen.findByRole('button', { name: 'Sign In' });
  expect(ended).toEqual([]);
  expect(desk.world.server.calls).toContain('signOut');
});

/** The list does not load, which is reported, until `repair` was called. */
const loadAfter = async (repair: () => void): Promise<HTMLElement> => {
  const region = await open();
  const alert = await within(region).findByRole('alert');
  expect(alert.textContent).toContain("Can't load your sessions.");
  repair();
  await userEvent.click(within(region).getByRole('button', { name: 'Try again' }));
  expect(await findRows(region)).toHaveLength(3);
  return region;
};

test('a list that does not load is reported and retried', async () => {
  failure = { kind: 'unreachable' };
  const region = await loadAfter(() => (failure = undefined));
  expect(within(region).queryByRole('alert')).toBeNull();
  const heading = within(region).getByRole('heading', { name: 'Sessions' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
});

test('a part that does not load is reported and retried', async () => {
  isLost = true;
  const region = await loadAfter(() => (isLost = false));
  isLost = true;
  await userEvent.click(within(region).getByRole('button', { name: 'Sign out all others' }));
  const alert = await within(region).findByRole('alert');
  expect(alert.textContent).toContain('Sign-out failed.');
  const again = within(region).getByRole('button', { name: 'Try again' });
  const heard: string[] = [];
  const watcher = new MutationObserver(() => heard.push(alert.textContent));
  watcher.observe(alert, { subtree: true, characterData: true, childList: true });
  await userEvent.click(again);
  await waitFor(() => expect(heard.at(-1)).toContain("The server didn't answer."));
  isLost = false;
  await userEvent.click(again);
  await within(region).findByText("You're signed in on this device only.");
  expect(within(region).queryByRole('alert')).toBeNull();
});

test('a session that cannot be ended stays, and the page shows the reason', async () => {
  const region = await open();
  await findRows(region);
  failure = { kind: 'server', status: 503, text: 'Sessions cannot be listed right now' };
  const [, phone] = within(region).getAllByRole('button', { name: 'Sign out' });
  await userEvent.click(phone as HTMLElement);
  const alert = await within(region).findByRole('alert');
  expect(alert.textContent).toContain('Sign-out failed.');
  expect(alert.textContent).toContain('Sessions cannot be listed right now');
  expect(await findRows(region)).toHaveLength(3);
  // When the network returns, the list does not load at first, then does: that session is open.
  desk.environment.set('offline');
  await within(region).findByText(/^You're offline\./);
  sessions = sessions.slice(0, 2);
  const before = loads;
  desk.environment.set('online');
  await waitFor(() => expect(loads).toBeGreaterThan(before));
  failure = undefined;
  desk.environment.set('offline');
  await within(region).findByText(/^You're offline\./);
  desk.environment.set('online');
  await waitFor(async () => expect(await findRows(region)).toHaveLength(2));
  expect(within(region).getByRole('alert').textContent).toContain('Sign-out failed.');
  await userEvent.click(within(region).getByRole('button', { name: 'Sign out all others' }));
  await within(region).findByText("You're signed in on this device only.");
  expect(within(region).queryByRole('alert')).toBeNull();
});

test('without a shared list, the page states that and offers nothing', async () => {
  available = false;
  const region = await open();
  await within(region).findByText(/^This server can't list your sessions\./);
  expect(within(region).queryByRole('button')).toBeNull();
});

test('offline, the page states that, and loads by itself when the network returns', async () => {
  const region = await open();
  await findRows(region);
  desk.environment.set('offline');
  await within(region).findByText("You're offline. Sessions load when you're back online.");
  expect(within(region).queryByRole('listitem')).toBeNull();
  sessions = sessions.filter(({ current }) => current);
  desk.environment.set('online');
  await within(region).findByText("You're signed in on this device only.");
  await waitFor(() => expect(desk.world.engine.openStreams).toBe(1));
  expect(loads).toBe(2);
});

test('the sessions load by themselves once the server is back', async () => {
  failure = { kind: 'server', status: 503 };
  const region = await open();
  await within(region).findByText("Can't load your sessions.");
  // The server no longer answers, and ends the stream.
  const { engine } = desk.world;
  await waitFor(() => expect(engine.openStreams).toBe(1));
  failure = { kind: 'unreachable' };
  engine.fail('stream', failure);
  act(() => engine.signal({ type: 'ended', error: { kind: 'unreachable' } }));
  const tryNow = await screen.findByRole('button', { name: 'Try now' });
  failure = undefined;
  engine.heal();
  await userEvent.click(tryNow);
  expect(await findRows(region)).toHaveLength(3);
  expect(within(region).queryByRole('alert')).toBeNull();
});
