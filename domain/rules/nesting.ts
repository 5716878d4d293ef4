/** True if lists and objects are nested at most `depth` deep; reads no deeper than that. */
export const isShallow = (value: unknown, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1)));

/** The value without the fields that are nested too deeply; null if nothing remains. */
export const toShallow = (value: unknown, depth: number): unknown => {
  if (isShallow(value, depth)) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return Object.fromEntries(
    Object.entries(value).filter(([, inner]) => isShallow(inner, depth - 1)),
  );
};
