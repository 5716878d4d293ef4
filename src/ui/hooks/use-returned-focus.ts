import { type RefObject, useEffect, useRef } from 'react';

/** A ref: its element gets the focus that was lost when `isOn` ended. */
export const useReturnedFocus = <E extends HTMLElement>(
  isOn: boolean,
  options?: FocusOptions,
): RefObject<E | null> => {
  const target = useRef<E>(null);
  const wasOn = useRef(isOn);
  useEffect(() => {
    if (wasOn.current && !isOn && document.activeElement === document.body) {
      target.current?.focus(options);
    }
    wasOn.current = isOn;
  }, [isOn, options]);
  return target;
};
