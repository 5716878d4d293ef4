import type { Timetoken } from '../timetoken.ts';

/**
 * A full batch contains the newest entries, but an engine may deliver entries published at the same
 * moment in a different order than their positions. This many of its oldest entries are read again.
 */
const OVERLAP_ENTRIES = 10;

/**
 * The end of the gap that may precede a full batch, because its entries replaced older ones: inside
 * the batch, shortly after its first entry. Undefined for a batch without entries.
 */
export const findOverflowEnd = (
  entries: readonly { readonly timetoken: Timetoken }[],
): Timetoken | undefined => {
  const places = entries.map(({ timetoken }) => timetoken).toSorted();
  return places[OVERLAP_ENTRIES - 1] ?? places.at(-1);
};
