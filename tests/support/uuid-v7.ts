/** The UUIDv7 of a time, ms since the epoch (RFC 9562, section 5.7); `n` makes it unique. */
export const toUuidV7 = (epochMs: number, n: number): string => {
  const time = Math.max(0, Math.floor(epochMs)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${n.toString(16).padStart(12, '0')}`;
};

/** The time in a UUIDv7, ms since the epoch; NaN for any other text. */
export const findUuidTime = (id: string): number => {
  const [time = '', rest = '', version = ''] = id.split('-');
  return version.startsWith('7') ? Number.parseInt(time + rest, 16) : Number.NaN;
};
