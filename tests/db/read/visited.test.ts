// @vitest-environment happy-dom
import 'fake-indexeddb/auto';

import { cleanup, renderHook, waitFor } from '@testing-library/react';
import { IDBObjectStore } from 'fake-indexeddb';
import { createElement, type ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';

import { StoreProvider } from '#db/hooks/store-context.ts';
import { useVisited } from '#db/hooks/use-visited.ts';
import { createDevice } from '#tests/support/device.ts';
import { ROOM } from '#tests/support/facts.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('a client opens at its first room if the visited rooms cannot be read', async () => {
  const store = await createDevice().openTab();
  await store.recordVisit(ROOM);
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(() => {
    throw new DOMException('The read failed.', 'DataError');
  });
  const wrapper = ({ children }: { readonly children: ReactNode }) =>
    createElement(StoreProvider, { store }, children);
  const { result } = renderHook(() => useVisited(), { wrapper });
  await waitFor(() => expect(result.current).toEqual([]));
});
