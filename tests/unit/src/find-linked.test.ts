import { describe, expect, test } from 'vitest';

import { parseTimetoken, type Timetoken } from '#domain/timetoken.ts';
import { findLinked, type LoadedPart } from '#src/chat/linked/find-linked.ts';
import type { ThreadRow } from '#src/chat/rows/thread-row.ts';

const toAt = (n: number): Timetoken => {
  const at = parseTimetoken(`1764000000000${String(n).padStart(4, '0')}`);
  if (at === undefined) throw new Error('no timetoken');
  return at;
};

const toRow = (n: number, gap: ThreadRow['gap'] = ''): ThreadRow => ({
  key: `row ${n}`,
  id: String(n),
  own: false,
  state: 'sent',
  readable: true,
  text: '',
  reason: '',
  name: '',
  role: 'staff',
  seed: '',
  startsGroup: true,
  at: toAt(n),
  label: '',
  time: '',
  repeatsTime: false,
  iso: '',
  gap,
  newAfter: false,
  nextDay: '',
});
const UNSENT: ThreadRow = { ...toRow(0), key: 'unsent', state: 'queued', at: '' };
const ROWS = [toRow(10), toRow(20), toRow(30), UNSENT];

const WHOLE: LoadedPart = { floor: toAt(10), hasMore: false, isOlderStuck: false, newest: 'read' };

const find = (n: number, known: Partial<LoadedPart> = {}, rows: readonly ThreadRow[] = ROWS) => {
  const { kind, key, isOlder } = findLinked(toAt(n), rows, { ...WHOLE, ...known });
  return [kind, key, ...(isOlder ? ['older'] : [])];
};

describe('the message in an address', () => {
  test('is found by its position', () => {
    expect(find(20)).toEqual(['found', 'row 20']);
    expect(find(10, { floor: undefined })).toEqual(['found', 'row 10']);
  });

  test('is awaited while the stored messages are being read', () => {
    expect(find(21, { floor: undefined })).toEqual(['loading', 'row 20']);
    expect(find(21, { floor: undefined }, [])).toEqual(['loading', undefined]);
  });

  test('needs older messages, as long as there are any and they arrive', () => {
    expect(find(5, { hasMore: true })).toEqual(['loading', 'row 10', 'older']);
    expect(find(5, { hasMore: true, isOlderStuck: true })).toEqual([
      'unreachable',
      'row 10',
      'older',
    ]);
    expect(find(5, { isOlderStuck: true })).toEqual(['missing', 'row 10']);
  });

  test('may be newer than the stored messages, until the newest ones were read', () => {
    expect(find(40, { newest: 'reading' })).toEqual(['loading', 'row 30']);
    expect(find(40, { newest: 'failed' })).toEqual(['unreachable', 'row 30']);
    expect(find(40)).toEqual(['missing', 'row 30']);
    expect(find(25, { newest: 'failed' })).toEqual(['missing', 'row 20']);
  });

  test('may be in a gap', () => {
    const withGap = (gap: ThreadRow['gap']) => [toRow(10, gap), toRow(20)];
    expect(find(15, {}, withGap('filling'))).toEqual(['loading', 'row 10']);
    expect(find(15, {}, withGap('waiting'))).toEqual(['unreachable', 'row 10']);
    expect(find(15, {}, withGap(''))).toEqual(['missing', 'row 10']);
  });
});
