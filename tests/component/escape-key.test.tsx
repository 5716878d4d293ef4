import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';

import EndPill from '#src/chat/thread/end-pill.tsx';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import { withoutLayout } from './prepare-room.ts';

withoutLayout();

const ESCAPE = { key: 'Escape' };
const COMPOSITIONS = [
  ['a browser that composes', { ...ESCAPE, isComposing: true }],
  ['Safari, which has just ended that', { ...ESCAPE, keyCode: 229 }],
] as const;

it.each(COMPOSITIONS)(
  'an input method takes Escape before the client search, in %s',
  async (_what, key) => {
    createDeskPage().open('/chat');
    await userEvent.click(await screen.findByRole('button', { name: 'Search clients' }));
    const box = await screen.findByRole('searchbox');
    await userEvent.type(box, 'May');
    fireEvent.keyDown(box, key);
    expect(screen.queryByRole('searchbox')).toBe(box);
    fireEvent.keyDown(box, ESCAPE);
    await waitFor(() => expect(screen.queryByRole('searchbox')).toBeNull());
  },
);

it.each(COMPOSITIONS)('an input method takes Escape before the thread, in %s', (_what, key) => {
  const toEnd = vi.fn();
  render(<EndPill unseen={false} onClick={toEnd} />);
  fireEvent.keyDown(document.body, key);
  expect(toEnd).not.toHaveBeenCalled();
  fireEvent.keyDown(document.body, ESCAPE);
  expect(toEnd).toHaveBeenCalledOnce();
});
