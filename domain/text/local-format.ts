/** Less than the platform can represent, because local time may be later than UTC. */
const EPOCH_MS_MAX = 8e15;
const MINUTE_MS = 60_000;

/**
 * A format in the zone in which the device is when it formats: the platform's own keep the zone in
 * which they were made, and take long to make. This one keeps UTC and gets local time. An invalid
 * time is empty. A library's formats would be larger than the rest of a page.
 */
export const toLocalFormat = (locale: string, options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return (epochMs: number): string =>
    Math.abs(epochMs) < EPOCH_MS_MAX
      ? format.format(epochMs - new Date(epochMs).getTimezoneOffset() * MINUTE_MS)
      : '';
};
