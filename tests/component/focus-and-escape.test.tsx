import { act, fireEvent, screen, render, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';

import EndPill from '#src/chat/thread/end-pill.tsx';
import { showToast } from '#src/ui/toasts/toast-store.ts';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import {
  composer,
  findMessage,
  messages,
  NEVER,
  openFailing,
  PATH,
  ROOM,
  wire,
  withoutLayout,
} from './prepare-page.ts';

withoutLayout();

const press = async (button: HTMLElement): Promise<void> => {
  button.focus();
  await userEvent.keyboard('{Enter}');
};
const button = (name: string) => screen.findByRole('button', { name });
const thread = () => screen.getByRole('region', { name: 'Messages' });

it('the thread gets the focus of “Fetch more” when there is no more to fetch', async () => {
  const page = createDeskPage();
  for (let n = 1; n <= 30; n += 1) page.world.engine.write(ROOM, wire(`m${n}`, `text ${n}.`));
  page.open(PATH);
  await findMessage('text 30.');
  await press(await button('Fetch more'));
  await screen.findByText('This is the start of the conversation.');
  await waitFor(() => expect(document.activeElement).toBe(thread()));
});

it('the thread gets the focus of “Try again” once its messages are loaded', async () => {
  const page = createDeskPage({ random: NEVER });
  await openFailing(page);
  const retry = await button('Try again');
  page.world.engine.heal();
  await press(retry);
  await findMessage('one');
  await waitFor(() => expect(document.activeElement).toBe(thread()));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('a toast that is closed returns the focus to where it was, else to the content', async () => {
  const page = createDeskPage();
  page.world.engine.fail('publish', { kind: 'rejected', status: 400 });
  page.open(PATH);
  const field = await composer();
  const closeToast = async (): Promise<void> => {
    const close = within(await screen.findByRole('alert')).getByRole('button', { name: 'Close' });
    await press(close);
    await waitFor(() => expect(close.isConnected).toBe(false));
  };
  await userEvent.type(field, 'too late{Enter}');
  await closeToast();
  expect(document.activeElement).toBe(field);
  await userEvent.type(field, 'again too late{Enter}');
  await screen.findByRole('alert');
  field.blur();
  await closeToast();
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

const toast = async (text: string) => {
  const shown = within((await screen.findByText(text)).parentElement!);
  return { button: (name: string) => shown.getByRole('button', { name }) };
};
const UNDO = { label: 'Undo', run: () => undefined };

it.each(['info', 'notice', 'error'] as const)('a toast of kind %s has its icon', async (kind) => {
  createDeskPage().open(PATH);
  await composer();
  act(() => showToast(kind, 'Said.'));
  const sign = (await screen.findByText('Said.')).parentElement?.querySelector('svg');
  expect(sign?.classList.contains('tabler-icon-circle-check')).toBe(kind === 'info');
});

it('a toast that is closed without the focus leaves it in the field', async () => {
  createDeskPage().open(PATH);
  const field = await composer();
  field.focus();
  act(() => showToast('info', 'Done.'));
  const close = (await toast('Done.')).button('Close');
  // No focus moves: so do Safari and assistive technology press buttons.
  fireEvent.click(close);
  await waitFor(() => expect(close.isConnected).toBe(false));
  expect(document.activeElement).toBe(field);
});

it('the action of a toast returns the focus to where it was', async () => {
  createDeskPage().open(PATH);
  const field = await composer();
  field.focus();
  act(() => showToast('info', 'Done.', UNDO));
  await press((await toast('Done.')).button('Undo'));
  await waitFor(() => expect(document.activeElement).toBe(field));
});

it('a toast that the same one replaces returns the focus to where it was', async () => {
  createDeskPage().open(PATH);
  const field = await composer();
  field.focus();
  act(() => showToast('info', 'Done.'));
  (await toast('Done.')).button('Close').focus();
  act(() => showToast('info', 'Done.'));
  expect(document.activeElement).toBe(field);
});

it('the last of several toasts returns the focus to where it was before the first', async () => {
  createDeskPage().open(PATH);
  const field = await composer();
  field.focus();
  act(() => showToast('info', 'one'));
  act(() => showToast('info', 'two'));
  (await toast('one')).button('Close').focus();
  await press((await toast('two')).button('Close'));
  await press((await toast('one')).button('Close'));
  await waitFor(() => expect(document.activeElement).toBe(field));
});

it('Enter that is held on a toast does not send the draft', async () => {
  createDeskPage().open(PATH);
  const field = await composer();
  await userEvent.type(field, 'half a sen');
  act(() => showToast('info', 'Done.'));
  await press((await toast('Done.')).button('Close'));
  await waitFor(() => expect(document.activeElement).toBe(field));
  fireEvent.keyDown(field, { key: 'Enter', repeat: true });
  await userEvent.type(field, 'tence.{Enter}');
  await findMessage('half a sentence.');
  expect(messages()).toHaveLength(1);
});

const ESCAPE = { key: 'Escape' };
const COMPOSITIONS = [
  ['a browser that reports the composition', { ...ESCAPE, isComposing: true }],
  ['Safari, which reports only the key code', { ...ESCAPE, keyCode: 229 }],
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

it.each(COMPOSITIONS)(
  'an input method takes Escape before a reply on Home, in %s',
  async (_what, key) => {
    const page = createDeskPage();
    page.open('/');
    await waitFor(() => expect(page.world.engine.openStreams).toBe(1));
    act(() => void page.world.engine.write(ROOM, wire('one', 'Any news?')));
    await userEvent.click(await screen.findByRole('button', { name: /^Reply/ }));
    const field = await composer();
    fireEvent.keyDown(field, key);
    expect(field.isConnected).toBe(true);
    fireEvent.keyDown(field, ESCAPE);
    await waitFor(() => expect(field.isConnected).toBe(false));
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

it('the card moves with its client when the rows change places', async () => {
  const page = createDeskPage();
  page.open(PATH);
  const link = await screen.findByRole('link', { name: 'Søren Kjærgaard' });
  const readTop = (element: Element): number =>
    Number(/\((\d+)px\)/.exec(element.closest('li')?.style.transform ?? '')?.[1] ?? 0);
  const boxes = vi.spyOn(Element.prototype, 'getBoundingClientRect');
  boxes.mockImplementation(function toBox(this: Element) {
    return this.tagName === 'A' ? new DOMRect(0, readTop(this), 72, 0) : new DOMRect(0, 0, 72, 900);
  });
  await waitFor(() => {
    link.blur();
    link.focus();
    expect(card()).not.toBeNull();
  });
  const before = readTop(link);
  await waitFor(() => expect(page.world.engine.openStreams).toBe(1));
  act(() => void page.world.engine.write('c_002/general', wire('up', 'Hello?')));
  await waitFor(() => expect(readTop(link)).toBeLessThan(before));
  await waitFor(() => expect(card()?.getAttribute('style')).toContain(`top: ${readTop(link)}px`));
  boxes.mockRestore();
});

it('the buttons of messages differ by their descriptions: their names are the same', async () => {
  const page = createDeskPage();
  page.world.engine.write(ROOM, wire('one', 'Clip 7 is ready.\nIn the folder.'));
  page.open(PATH);
  const actions = await button('Message actions');
  const description = (): string | null => actions.getAttribute('aria-description');
  await waitFor(() => expect(description()).toBe('Leila Haddad: Clip 7 is ready. In the folder.'));
});

it('“Find a client” moves the focus into a search that is open', async () => {
  createDeskPage().open('/chat');
  fireEvent.click(await screen.findByRole('button', { name: 'Search clients' }));
  const field = await screen.findByRole('searchbox', { name: 'Search clients' });
  const find = await screen.findByRole('button', { name: 'Find a client' });
  find.focus();
  await userEvent.click(find);
  expect(document.activeElement).toBe(field);
});
