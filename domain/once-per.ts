/** Calls `create` once for each key; its result lives as long as the key. */
export const oncePer = <K extends object, V>(create: (key: K) => V): ((key: K) => V) => {
  const known = new WeakMap<K, V>();
  return (key) => {
    const value = known.get(key) ?? create(key);
    known.set(key, value);
    return value;
  };
};
