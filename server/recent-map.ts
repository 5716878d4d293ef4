/** A map of bounded size that forgets the keys not asked for the longest. */
export interface RecentMap<T> {
  /** The value of a key, made anew when it is not remembered. */
  get(key: string, create: () => T): T;
}

export const createRecentMap = <T>(keysMax: number): RecentMap<T> => {
  // Insertion order is order of use: each use moves its key to the end.
  const values = new Map<string, T>();
  return {
    get: (key, create) => {
      const value = values.get(key) ?? create();
      values.delete(key);
      values.set(key, value);
      const oldest = values.size > keysMax ? values.keys().next().value : undefined;
      if (oldest !== undefined) values.delete(oldest);
      return value;
    },
  };
};
