const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_HOURS = 24;
/** Minutes are shown only below this many hours, and hours only below this many days. */
const HOURS_WITH_MINUTES = 10;
const DAYS_WITH_HOURS = 7;

/**
 * A duration in two units at most: "<1 min", "12 min", "2 h 5 min", "14 h", "3 d 4 h", "12 d"; "–"
 * without one. Working time has no days, because a working day is shorter: "31 h".
 */
export const toDurationLabel = (ms: number | undefined, isWorkingTime = false): string => {
  if (ms === undefined) return '–';
  if (ms < MINUTE_MS) return '<1 min';
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < HOUR_MINUTES) return `${minutes} min`;
  const hours = Math.floor(minutes / HOUR_MINUTES);
  const restMinutes = minutes % HOUR_MINUTES;
  if (isWorkingTime || hours < DAY_HOURS) {
    const hasMinutes = hours < HOURS_WITH_MINUTES && restMinutes > 0;
    return hasMinutes ? `${hours} h ${restMinutes} min` : `${hours} h`;
  }
  const days = Math.floor(hours / DAY_HOURS);
  const restHours = hours % DAY_HOURS;
  return days < DAYS_WITH_HOURS && restHours > 0 ? `${days} d ${restHours} h` : `${days} d`;
};
