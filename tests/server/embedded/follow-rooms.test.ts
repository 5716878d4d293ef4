import type { AppError } from '#domain/errors.ts';
import type { Realtime, StreamSignal } from '#domain/ports/network.ts';
import { followRooms } from '#server/client/follow.ts';
import { at } from '#tests/support/facts.ts';
import { expect, test } from 'vitest';

const UNREACHABLE: AppError = { kind: 'unreachable' };

/** Follows streams that deliver these signals one after the other; the last one stays open. */
const follow = async (
  streams: readonly (readonly StreamSignal[])[],
): Promise<readonly string[]> => {
  const seen: string[] = [];
  const leave = new AbortController();
  let opened = 0;
  const realtime: Pick<Realtime, 'openStream'> = {
    openStream: (_cursor, onSignal) => {
      const signals = streams[opened] ?? [];
      opened += 1;
      queueMicrotask(() => {
        for (const signal of signals) onSignal(signal);
        if (opened === streams.length) leave.abort();
      });
      return () => undefined;
    },
  };
  const follower = {
    onEntries: () => undefined,
    onConnected: () => void seen.push('connected'),
    onLost: ({ kind }: AppError) => void seen.push(kind),
  };
  await followRooms(realtime as Realtime, at(0), follower, leave.signal);
  return seen;
};

const BEAT: StreamSignal = { type: 'beat', cursor: at(1) };
const END: StreamSignal = { type: 'ended', error: UNREACHABLE };

test('a stream that ends with its token is reopened without a notice', async () => {
  expect(await follow([[BEAT, END], [BEAT]])).toEqual(['connected', 'connected']);
});

test('a stream that cannot be opened again is noticed', async () => {
  expect(await follow([[BEAT, END], [END], [BEAT]])).toEqual([
    'connected',
    'unreachable',
    'connected',
  ]);
});
