import 'fake-indexeddb/auto';

import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';

import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
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
