/** Positions are fractions of a pixel on some screens. */
const EXACT_PX = 1;

type ScrollPlace = Pick<HTMLElement, 'scrollHeight' | 'scrollTop' | 'clientHeight'>;

/** Distance from the visible part to the end, CSS pixels (spec §9). */
export const toEndDistance = ({ scrollHeight, scrollTop, clientHeight }: ScrollPlace): number =>
  scrollHeight - scrollTop - clientHeight;

/** Keeps a thread at its end when content grows, until the user scrolls up. */
export interface FollowEnd {
  /** Call for every scroll event, before any other handler. */
  scrolled(element: HTMLElement): void;
  /** Call after rows or heights changed: true if the thread has to scroll to its end again. */
  shouldGo(element: HTMLElement): boolean;
  /** Call after the thread was moved, or kept, on purpose. */
  moved(element: HTMLElement): void;
  /** The user navigates away from the end. */
  leave(): void;
}

/**
 * Moves recorded by `moved` are the thread's own, because measuring rows shifts it. A scroll event
 * from further up than the last of these comes from the user.
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
