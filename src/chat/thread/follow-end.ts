/** Positions are fractions of a pixel on some screens. */
const EXACT_PX = 1;

type ScrollPlace = Pick<HTMLElement, 'scrollHeight' | 'scrollTop' | 'clientHeight'>;

/** How far the end is below what is visible, CSS pixels (spec §9). */
export const toEndDistance = ({ scrollHeight, scrollTop, clientHeight }: ScrollPlace): number =>
  scrollHeight - scrollTop - clientHeight;

/** Keeps a thread at its end whatever becomes higher, until somebody scrolls up. */
export interface FollowEnd {
  /** Call for every scroll event, before anything else handles it. */
  scrolled(element: HTMLElement): void;
  /** Call after rows or heights changed: true when the thread has to go to its end again. */
  shouldGo(element: HTMLElement): boolean;
  /** Call after the thread was moved, or kept, on purpose. */
  moved(element: HTMLElement): void;
  /** Somebody goes elsewhere. */
  leave(): void;
}

/**
 * Moves that were noted by `moved` are the thread's own: measured rows shift it. A scroll
 * event from further up than the last of these tells of somebody who scrolled.
 */
export const createFollowEnd = (): FollowEnd => {
  let isOn = true;
  let top = 0;
  const isAtEnd = (element: HTMLElement): boolean => toEndDistance(element) <= EXACT_PX;
  return {
    scrolled: (element) => {
      if (isAtEnd(element)) isOn = true;
      else if (element.scrollTop < top - EXACT_PX) isOn = false;
      top = element.scrollTop;
    },
    shouldGo: (element) => isOn && !isAtEnd(element),
    moved: (element) => {
      top = element.scrollTop;
    },
    leave: () => {
      isOn = false;
    },
  };
};
