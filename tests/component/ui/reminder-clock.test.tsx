import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';

import type { RoomSummary } from '#domain/rules/waiting.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { useNow, useReminderClock } from '#src/ui/use-now.ts';

const HOUR_MS = 3_600_000;
const NO_SUMMARIES: ReadonlyMap<RoomKey, RoomSummary> = new Map();

afterEach(() => void vi.useRealTimers());

it('a clock that is set back is followed within a minute, also without reminders', () => {
  vi.useFakeTimers({ now: 3 * HOUR_MS });
  const { result } = renderHook(() => Math.max(useNow(), useReminderClock(NO_SUMMARIES)));
  expect(result.current).toBe(3 * HOUR_MS);
  vi.setSystemTime(HOUR_MS);
  act(() => void vi.advanceTimersByTime(60_000));
  expect(result.current).toBe(HOUR_MS + 60_000);
});
