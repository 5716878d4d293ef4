/** Positions are fractions of a pixel on some screens. */
const EXACT_PX = 1;
/** Measured rows rarely shift a thread that far without changing its height, CSS pixels. */
const FAR_PX = 80;

type ScrollPlace = Pick<HTMLElement, 'scrollHeight' | 'scrollTop' | 'clientHeight'>;

/** Distance from the visible part to the end, CSS pixels (spec §9). */
export const toEndDistance = ({ scrollHeight, scrollTop, clientHeight }: ScrollPlace): number =>
  scrollHeight - scrollTop - clientHeight;

/**
 * Keeps a thread at its end when content grows, until the user scrolls up.
 *
 * Moves recorded by `moved` are the thread's own, because measuring rows shifts it. A scroll event
 * above the last of these positions comes from the user, and so does a position far above while no
 * height has changed: its event follows in the next frame.
 */
export const createFollowEnd = () => {
  let isOn = true;
  let last: ScrollPlace = { scrollHeight: 0, scrollTop: 0, clientHeight: 0 };
  const isAtEnd = (element: HTMLElement): boolean => toEndDistance(element) <= EXACT_PX;
  const isAbove = ({ scrollTop }: HTMLElement, by: number): boolean =>
    scrollTop < last.scrollTop - by;
  const isSameHeight = ({ scrollHeight, clientHeight }: HTMLElement): boolean =>
    scrollHeight === last.scrollHeight && clientHeight === last.clientHeight;
  const record = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): void => {
    last = { scrollHeight, scrollTop, clientHeight };
  };
  return {
    /** Call for every scroll event, before any other handler. */
    scrolled: (element: HTMLElement): void => {
      if (isAtEnd(element)) isOn = true;
      else if (isAbove(element, EXACT_PX)) isOn = false;
      record(element);
    },
    /** Call after rows or heights changed: true if the thread has to scroll to its end again. */
    shouldGo: (element: HTMLElement): boolean => {
      if (isAtEnd(element)) return false;
      if (isAbove(element, FAR_PX) && isSameHeight(element)) isOn = false;
      return isOn;
    },
    /** Call after the thread was moved, or kept, on purpose. */
    moved: record,
    /** The user navigates away from the end. */
    leave: (): void => {
      isOn = false;
    },
    /** Whether it stays at its end. */
    isOn: () => isOn,
  };
};

export type FollowEnd = ReturnType<typeof createFollowEnd>;
