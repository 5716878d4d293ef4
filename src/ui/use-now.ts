import { useEffect, useMemo, useState } from 'react';

import type { RoomKey } from '#domain/rooms.ts';
import type { RoomSummary } from '#domain/rules/waiting.ts';

const MINUTE_MS = 60_000;

/** The time in ms since the epoch, updated every `everyMs`; 0: never. */
export const useNow = (everyMs = MINUTE_MS): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (everyMs === 0) return undefined;
    const tick = (): void => setNow(Date.now());
    const first = setTimeout(tick);
    const timer = setInterval(tick, everyMs);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [everyMs]);
  return now;
};

/** A reminder appears at most this long after its time, ms; later in a page that is not visible. */
const LATENESS_MS = 10_000;

/** The time in ms since the epoch, updated often while the user has reminders; 0 without any. */
export const useReminderClock = (
  summaries: ReadonlyMap<RoomKey, RoomSummary> | undefined,
): number => {
  const hasReminders = useMemo(
    () => [...(summaries?.values() ?? [])].some(({ reminder }) => reminder !== undefined),
    [summaries],
  );
  const now = useNow(hasReminders ? LATENESS_MS : 0);
  // It would stand still, even after a correction of the clock.
  return hasReminders ? now : 0;
};
