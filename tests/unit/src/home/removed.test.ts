import { expect, it } from 'vitest';

import type { OutboxItem } from '#domain/project/rows.ts';

import { compose, GONE, ONE, toItem } from './home-data.ts';

it('Home offers the texts to a removed client, the refused ones first', () => {
  const queued = toItem(GONE, { text: 'still being sent' });
  const failed = toItem(GONE, { state: 'failed', reason: '', text: 'refused' });
  const toCopied = (items: readonly OutboxItem[]) =>
    compose({ items, isOnline: false })[0]?.entries.map((entry) => [
      entry.toCopy.map(({ id, text }) => [id, text]),
      entry.failed.length,
    ]);
  expect(toCopied([queued])).toEqual([[[[queued.id, 'still being sent']], 0]]);
  expect(toCopied([queued, failed])).toEqual([[[[failed.id, 'refused']], 1]]);
  expect(toCopied([toItem(ONE)])).toEqual([[[], 0]]);
});

it('Home offers the texts to the last client, too, once it is removed', () => {
  const failed = toItem(GONE, { state: 'failed', reason: '', text: 'refused' });
  const drafts = new Map([[ONE, 'begun']]);
  const sections = compose({ teams: new Map(), items: [failed], drafts });
  const texts = sections.map(({ name, entries }) => [
    name,
    entries.flatMap(({ toCopy }) => toCopy.map(({ text }) => text)),
  ]);
  expect(texts).toEqual([
    ['unsent', ['refused']],
    ['drafts', ['begun']],
  ]);
});
