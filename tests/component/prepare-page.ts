import 'fake-indexeddb/auto';

import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

import { toRoomKey } from '#domain/rooms.ts';
import { createDeskPage, type DeskPage } from '#tests/support/scenes/desk-page.tsx';

export const ROOM = toRoomKey('c_001', 'team');
export const PATH = '/chat/c_001/team';

/** Small elements whose content fits, px. */
const SMALL = { offsetHeight: 40, clientHeight: 40, scrollHeight: 40, offsetWidth: 800 };

/** There is no layout here: during the tests of this file, every element has these sizes. */
export const withoutLayout = (sizes: Readonly<Record<string, number>> = SMALL): void => {
  const prototype = HTMLElement.prototype;
  const before = Object.keys(sizes).map((name) => {
    return [name, Object.getOwnPropertyDescriptor(prototype, name)] as const;
  });
  beforeAll(() => {
    for (const [name, size] of Object.entries(sizes)) {
      Object.defineProperty(prototype, name, { configurable: true, get: () => size });
    }
  });
  afterEach(cleanup);
  afterAll(() => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(prototype, name, descriptor);
      else Reflect.deleteProperty(prototype, name);
    }
  });
};

/** Opens a page with the expanded list of clients, once it is connected. */
export const openWithClients = async (path: string): Promise<DeskPage> => {
  const page = createDeskPage();
  page.open(path);
  fireEvent.click(await screen.findByRole('button', { name: 'Expand clients' }));
  await waitFor(() => expect(page.world.engine.openStreams).toBe(1));
  return page;
};

export const wire = (id: string, text: string) => ({ id, text, clientName: '', clientAvatar: '' });
export const composer = (): Promise<HTMLElement> =>
  screen.findByRole('textbox', { name: 'Message' });
/** Also if it is hidden: Mantine hides the menu of a button without a size. */
export const findMenuItem = (name: string): Promise<HTMLElement> =>
  screen.findByRole('menuitem', { name, hidden: true });
export const messages = (): readonly HTMLElement[] =>
  screen.getAllByRole('listitem').filter((item) => item.dataset['messageId']);
export const findMessage = (text: string): Promise<HTMLElement> =>
  waitFor(() => {
    const found = messages().find((item) => item.textContent.includes(text));
    if (found === undefined) throw new Error(`no message ${text}`);
    return found;
  });

/** Nothing is retried by itself during a test. */
export const NEVER = { next: () => 1000 };

/**
 * Opens a room whose history fails, on a page made with `NEVER`. It was not prefetched, and the
 * stream is open: nothing reads it again by itself.
 */
export const openFailing = async (page: DeskPage): Promise<void> => {
  const { engine } = page.world;
  engine.write(ROOM, wire('one', 'one'));
  engine.fail('newest', { kind: 'unreachable' });
  page.open('/chat/c_001/general');
  await waitFor(() => {
    if (engine.calls.every(({ operation }) => operation !== 'newest')) throw new Error('offline');
  });
  engine.fail('history', { kind: 'rejected', status: 400 });
  fireEvent.click(await screen.findByRole('link', { name: 'Team' }));
};
