import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';

import { showToast } from '#src/ui/toasts/toast-store.ts';

import { composer, openWithClients, withoutLayout } from '../prepare-page.ts';

withoutLayout();

it('Ctrl with Z undoes what the last toast offers, but not in a text field', async () => {
  const undone: string[] = [];
  const offer = (text: string, label: string): void =>
    act(() => showToast('info', text, { label, run: () => undone.push(text) }));
  const press = (target: Element): void =>
    void fireEvent.keyDown(target, { key: 'z', ctrlKey: true });
  await openWithClients('/chat/c_001/team');
  offer('first', 'Undo');
  offer('second', 'Undo');
  offer('third', 'Open');
  // The shortcuts work once their chunk has loaded.
  await waitFor(() => {
    press(document.body);
    expect(undone).not.toEqual([]);
  });
  expect(undone).toEqual(['second']);
  expect(screen.queryByText('second')).toBeNull();
  press(await composer());
  expect(undone).toEqual(['second']);
  // Where "Mark all as read" leaves the focus.
  press(screen.getByRole('radio', { name: 'All' }));
  expect(undone).toEqual(['second', 'first']);
});
