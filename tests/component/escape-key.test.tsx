import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';

import EndPill from '#src/chat/thread/end-pill.tsx';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import { PATH, withoutLayout } from './prepare-room.ts';

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

/** In the body, hidden from assistive technology. */
const card = () => document.querySelector('body > span[aria-hidden]');

it('Escape hides the card of a focused client, and nothing else', async () => {
  createDeskPage().open(PATH);
  const link = await screen.findByRole('link', { name: 'Søren Kjærgaard' });
  // The card loads after the room.
  await waitFor(() => {
    link.blur();
    link.focus();
    expect(card()).not.toBeNull();
  });
  const onKey = vi.fn();
  window.addEventListener('keydown', onKey);
  fireEvent.keyDown(link, ESCAPE);
  await waitFor(() => expect(card()).toBeNull());
  expect(document.activeElement).toBe(link);
  expect(onKey).not.toHaveBeenCalled();
  fireEvent.keyDown(link, ESCAPE);
  expect(onKey).toHaveBeenCalledOnce();
  window.removeEventListener('keydown', onKey);
});
