import 'fake-indexeddb/auto';

import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';

import { changeNotificationChoice } from '#db/user/notifications.ts';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A browser with notifications; the page looks for a service worker, but uses none here. */
const stubNotifications = (browser: object): void => {
  vi.stubGlobal('Notification', browser);
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: undefined });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'serviceWorker'));
};

test('a question that the user answers with “Block” leaves its reason, which has the focus', async () => {
  stubNotifications({ permission: 'default', requestPermission: async () => 'denied' });
  createDeskPage().open('/settings');
  (await screen.findByRole('switch', { name: /^Show notifications/ })).focus();
  await userEvent.keyboard(' ');
  const reason = await screen.findByText(/^Your browser blocks notifications/);
  expect(reason.role).toBe('status');
  await waitFor(() => expect(document.activeElement).toBe(reason));
});

test('notifications can be turned on as soon as the browser allows them', async () => {
  const browser = { permission: 'denied' };
  const status = new EventTarget();
  stubNotifications(browser);
  vi.spyOn(navigator.permissions, 'query').mockResolvedValue(status as PermissionStatus);
  createDeskPage().open('/settings');
  const find = () => screen.queryByRole('switch', { name: /^Show notifications/ });
  await screen.findByText(/^Your browser blocks notifications/);
  browser.permission = 'granted';
  act(() => void status.dispatchEvent(new Event('change')));
  await waitFor(() => expect(find()).not.toBeNull());
  // Some browsers report no changes.
  browser.permission = 'denied';
  fireEvent(document, new Event('visibilitychange'));
  await waitFor(() => expect(find()).toBeNull());
});

test('the list of muted clients has a heading', async () => {
  stubNotifications({ permission: 'granted' });
  const page = createDeskPage();
  page.open('/settings');
  await screen.findByRole('switch', { name: /^Show notifications/ });
  const choice = { isOn: true, mutedClients: ['c_001'] };
  const store = page.mustGetStore();
  await act(() => changeNotificationChoice(store, (before) => ({ ...before, ...choice })));
  const region = screen.getByRole('region', { name: 'Notifications' });
  const title = await within(region).findByRole('heading', { name: 'Muted' });
  const list = within(region).getByRole('list', { name: 'Muted' });
  expect(list.textContent).toContain('Maya Okafor');
  expect(title.compareDocumentPosition(list)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});
