import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

import StorageNotice from '#src/shell/frame/storage-notice.tsx';

afterEach(cleanup);

const show = (hasFailed = false) => {
  const discardUnreadable = vi.fn();
  const returned = { unreadable: true, hasFailed, dismissLoss: vi.fn(), discardUnreadable };
  render(<StorageNotice returned={{ ...returned, loss: 'none' }} />);
  return discardUnreadable;
};

const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('kept messages are discarded only after a question, which a double click refuses', async () => {
  const discard = show();
  await userEvent.dblClick(screen.getByRole('button', { name: 'Discard them' }));
  expect(discard).not.toHaveBeenCalled();
  await click('Discard them');
  const keep = screen.getByRole('button', { name: 'Keep them' });
  expect(document.activeElement).toBe(keep);
  await click('Keep them');
  expect(discard).not.toHaveBeenCalled();
  await click('Discard them');
  await click('Discard');
  expect(discard).toHaveBeenCalledOnce();
});

test('kept messages that could not be discarded are reported', async () => {
  const discard = show(true);
  await screen.findByText(/They couldn't be discarded. Try again.$/);
  await click('Discard them');
  await click('Discard');
  expect(discard).toHaveBeenCalledOnce();
});
