import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';

import { openWithClients, withoutLayout } from '../prepare-page.ts';

withoutLayout();

it('an empty filter says that it knows only this device while there is no connection', async () => {
  const page = await openWithClients('/chat/c_001/team');
  const { engine } = page.world;
  fireEvent.click(await screen.findByRole('radio', { name: 'Unread' }));
  const text = await screen.findByText('Nothing unread.');
  const texts: string[] = [];
  const watch = new MutationObserver(() => texts.push(text.textContent));
  watch.observe(text, { subtree: true, childList: true, characterData: true });
  engine.fail('stream', { kind: 'unreachable' });
  act(() => engine.signal({ type: 'ended', error: { kind: 'unreachable' } }));
  fireEvent.click(await screen.findByRole('button', { name: 'Try now' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Try now' }));
  await screen.findByText('Nothing unread in the messages on this device.');
  // The attempts to connect change nothing: screen readers read every change.
  expect(texts).toEqual(['Nothing unread in the messages on this device.']);
});

it('another tab changes the order of the list, but not its filter', async () => {
  const page = await openWithClients('/chat/c_001/team');
  await screen.findByRole<HTMLInputElement>('radio', { name: 'All' });
  // Another tab of this browser stores its choices.
  await page.mustGetStore().saveInboxChoice({ filter: 'unread', order: 'name' });
  await screen.findByRole('button', { name: 'Order by last activity' });
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'All' }).checked).toBe(true);
});
