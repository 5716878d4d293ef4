import 'fake-indexeddb/auto';

import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll } from 'vitest';

import { toRoomKey } from '#domain/rooms.ts';

export const ROOM = toRoomKey('c_001', 'team');
export const PATH = '/chat/c_001/team';

/** There is no layout here: every element is small, and its content fits. */
export const withoutLayout = (): void => {
  beforeAll(() => {
    for (const name of ['offsetHeight', 'clientHeight', 'scrollHeight'] as const) {
      Object.defineProperty(HTMLElement.prototype, name, { get: () => 40 });
    }
    Object.defineProperty(HTMLElement.prototype, 'offsetWidth', { get: () => 800 });
  });
  afterEach(cleanup);
};

export const wire = (id: string, text: string) => ({ id, text, clientName: '', clientAvatar: '' });
export const composer = (): Promise<HTMLElement> =>
  screen.findByRole('textbox', { name: 'Message' });
export const messages = (): readonly HTMLElement[] =>
  screen.getAllByRole('listitem').filter((item) => item.dataset['messageId']);
export const findMessage = (text: string): Promise<HTMLElement> =>
  waitFor(() => {
    const found = messages().find((item) => item.textContent.includes(text));
    if (found === undefined) throw new Error(`no message ${text}`);
    return found;
  });
