// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';

import { toPositionKey } from '#db/facts/entry-row.ts';
import { openUserStore } from '#db/user/user-store.ts';
import { parseSearchQuery } from '#domain/text/search-query.ts';
import type { SearchRequest, SearchResponse } from '#src/search/protocol.ts';
import { at, received, ROOM } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

const responses: SearchResponse[] = [];
vi.stubGlobal('postMessage', (message: SearchResponse) => void responses.push(message));
await import('#src/search/search-worker.ts');

const post = (data: SearchRequest): void =>
  void globalThis.dispatchEvent(new MessageEvent('message', { data }));
const SEARCH: SearchRequest = {
  kind: 'search',
  subscriberId: 'page',
  id: 1,
  query: parseSearchQuery('cut', 0),
  limit: 9,
};
const toTexts = (response: SearchResponse | undefined) =>
  response?.kind === 'answer'
    ? {
        texts: response.hits.map(({ excerpt }) => excerpt.text),
        isWhole: response.coverage.isWhole,
      }
    : response;

test('while everything is read again, the previous results are shown, then the new ones', async () => {
  const opened = await openUserStore('u_search');
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  const store = opened.value;
  await store.append([received(at(1), { text: 'cut one' }), received(at(2), { text: 'cut two' })]);
  const before = { texts: ['cut two', 'cut one'], isWhole: true };
  post({ kind: 'open', name: store.database.name });
  post(SEARCH);
  await untilPasses(() => expect(toTexts(responses.at(-1))).toEqual(before));

  await store.append([received(at(3), { text: 'cut three' })]);
  await store.database.entries.delete(toPositionKey(ROOM, at(1)));
  responses.length = 0;
  post({ kind: 'changed', keys: 'all' });
  post(SEARCH);
  const after = { texts: ['cut three', 'cut two'], isWhole: true };
  await untilPasses(() => expect(toTexts(responses.at(-1))).toEqual(after));
  expect(responses.map(toTexts)).toEqual([before, after]);
  store.close();
});
