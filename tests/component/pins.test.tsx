import 'fake-indexeddb/auto';

import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { listPinned } from '#db/user/layout.ts';
import { fail } from '#domain/result.ts';
import { createDeskPage } from '#tests/support/scenes/desk-page.tsx';

import { withoutLayout } from './prepare-page.ts';

const MAYA = 'Maya Okafor';
const SOREN = 'Søren Kjærgaard';

withoutLayout();
afterEach(() => {
  vi.restoreAllMocks();
});

const links = async () =>
  within(await screen.findByRole('navigation', { name: 'Clients' })).findAllByRole('link');
const expectOrder = (...names: readonly string[]): Promise<void> =>
  waitFor(async () => {
    expect((await links()).map((link) => link.dataset['hoverLabel'])).toEqual(names);
  });
const describeClient = async (name: string): Promise<string | null> => {
  const link = (await links()).find(({ dataset }) => dataset['hoverLabel'] === name);
  return link?.getAttribute('aria-description') ?? null;
};
const button = (name: string) => screen.findByRole('button', { name });

describe('a client', () => {
  it('is pinned from its rooms: first in the list and described as pinned, until it is unpinned', async () => {
    const page = createDeskPage();
    page.open('/chat/c_002/team');
    await expectOrder(MAYA, SOREN);
    fireEvent.click(await button(`Pin ${SOREN} to the top`));
    await expectOrder(SOREN, MAYA);
    expect(await describeClient(SOREN)).toBe('Pinned');
    expect(await describeClient(MAYA)).toBeNull();
    const { database } = page.mustGetStore();
    await waitFor(async () => expect([...(await listPinned(database))]).toEqual(['c_002']));
    fireEvent.click(await button(`Unpin ${SOREN}`));
    await expectOrder(MAYA, SOREN);
    // The order may be painted first.
    await waitFor(async () => expect(await describeClient(SOREN)).toBeNull());
    await waitFor(async () => expect([...(await listPinned(database))]).toEqual([]));
  });

  it('is shown as pinned even if that cannot be stored, which is reported', async () => {
    const page = createDeskPage();
    page.open('/chat/c_002/team');
    await expectOrder(MAYA, SOREN);
    const store = await waitFor(() => page.mustGetStore());
    vi.spyOn(store, 'recordChoices').mockResolvedValue(fail({ kind: 'quota' }));
    fireEvent.click(await button(`Pin ${SOREN} to the top`));
    await screen.findByText("Pinned on this page only: this device couldn't save the change.");
    await expectOrder(SOREN, MAYA);
    expect(await describeClient(SOREN)).toBe('Pinned');
    fireEvent.click(await button(`Unpin ${SOREN}`));
    await expectOrder(MAYA, SOREN);
  });

  it('stays first in a search until a query is typed', async () => {
    createDeskPage().open('/chat/c_002/team');
    await expectOrder(MAYA, SOREN);
    fireEvent.click(await button(`Pin ${SOREN} to the top`));
    await expectOrder(SOREN, MAYA);
    fireEvent.click(await button('Search clients'));
    const field = await screen.findByRole('searchbox', { name: 'Search clients' });
    await expectOrder(SOREN, MAYA);
    fireEvent.change(field, { target: { value: 'a' } });
    await expectOrder(MAYA, SOREN);
    expect(await describeClient(SOREN)).toBe('Pinned');
  });

  it('is pinned and unpinned in the palette while it is open', async () => {
    createDeskPage().open('/chat/c_002/team');
    await expectOrder(MAYA, SOREN);
    const choose = async (name: string): Promise<void> => {
      await waitFor(() => {
        fireEvent.keyDown(document.body, { key: 'k', code: 'KeyK', ctrlKey: true });
        expect(screen.queryByRole('dialog', { name: 'Search' })).not.toBeNull();
      });
      fireEvent.change(screen.getByRole('combobox'), { target: { value: 'pin' } });
      fireEvent.click(await screen.findByRole('option', { name }));
    };
    await choose(`Pin ${SOREN} to the top`);
    await expectOrder(SOREN, MAYA);
    await choose(`Unpin ${SOREN}`);
    await expectOrder(MAYA, SOREN);
    expect(await describeClient(SOREN)).toBeNull();
  });
});
