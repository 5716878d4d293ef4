/** Functions that are called with every value that is emitted, in the order of their addition. */
export const createListeners = <Args extends readonly unknown[] = []>() => {
  const all = new Set<(...args: Args) => void>();
  return {
    add: (listener: (...args: Args) => void): (() => void) => {
      all.add(listener);
      return () => all.delete(listener);
    },
    emit: (...args: Args): void => {
      for (const listener of all) listener(...args);
    },
  };
};
