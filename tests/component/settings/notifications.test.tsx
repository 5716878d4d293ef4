import 'fake-indexeddb/auto';

import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';

import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a question that the user answers with “Block” leaves its reason, which has the focus', async () => {
  const browser = { permission: 'default', requestPermission: async () => 'denied' };
  vi.stubGlobal('Notification', browser);
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: undefined });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'serviceWorker'));
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
  vi.stubGlobal('Notification', browser);
  // The page looks for a service worker, but uses none here.
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: undefined });
  vi.spyOn(navigator.permissions, 'query').mockResolvedValue(status as PermissionStatus);
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'serviceWorker'));
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
