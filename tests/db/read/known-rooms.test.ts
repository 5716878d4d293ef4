// @vitest-environment happy-dom
import 'fake-indexeddb/auto';

import { cleanup, renderHook, waitFor } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { afterEach, expect, it } from 'vitest';

import { StoreProvider } from '#db/hooks/store-context.ts';
import { useKnownRooms } from '#db/hooks/use-summaries.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, page, received, ROOM } from '#tests/support/facts.ts';
import '#tests/support/patient-queries.ts';

afterEach(cleanup);

it('a room is known by its newest entry, or if it has none at all', async () => {
  const store = await createDevice().openTab();
  const quiet = toRoomKey('c_002', 'general');
  const empty = toRoomKey('c_003', 'team');
  await store.append([
    received(at(1)),
    page(at(0), at(5)),
    // As after a catch-up in which the room had no entries: there may be older ones.
    { ...page(at(2), at(5)), room: quiet, reachedStart: false },
    { ...page(at(2), at(5)), room: empty, reachedStart: true },
  ]);
  const { result } = renderHook(useKnownRooms, {
    wrapper: ({ children }: { readonly children: ReactNode }) =>
      createElement(StoreProvider, { store }, children),
  });
  await waitFor(() => expect(result.current).toEqual(new Set([ROOM, empty])));
  await store.append([received(at(1), { room: quiet }), { ...page(at(0), at(2)), room: quiet }]);
  await waitFor(() => expect(result.current).toEqual(new Set([ROOM, quiet, empty])));
});
