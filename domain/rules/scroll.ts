/** Where a list is scrolled to, CSS pixels. */
export interface ScrollPlace {
  readonly scrollHeight: number;
  readonly scrollOffset: number;
  readonly visibleHeight: number;
}

/** How far the bottom of a list is below what is visible, CSS pixels (spec §9). */
export const toBottomDistance = (place: ScrollPlace): number =>
  place.scrollHeight - place.scrollOffset - place.visibleHeight;
