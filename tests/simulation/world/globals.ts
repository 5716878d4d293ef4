/**
 * Gives the simulation control over the globals of the storage libraries. Import it before
 * fake-indexeddb and Dexie: the first uses `setImmediate` for every task, the second opens a
 * `BroadcastChannel` when it is loaded, which would bypass the simulation.
 */

/** Replacements for the platform's timers while a simulation runs. */
export interface VirtualTimers {
  soon(run: () => void): void;
  after(ms: number, run: () => void): unknown;
  cancel(handle: unknown): void;
}

let virtual: VirtualTimers | undefined;

/** Redirects the global timers to a simulation; undefined restores them. */
export const installTimers = (timers: VirtualTimers | undefined): void => {
  virtual = timers;
};

const platform = {
  setImmediate: globalThis.setImmediate,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  structuredClone: globalThis.structuredClone,
};

/** The platform's own: runs after all microtasks. */
export const runNextTurn = (run: () => void): void => {
  platform.setImmediate(run);
};

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Stored rows are plain data; this copies them ten times faster than the platform. */
const copy = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'function' ? platform.structuredClone(value) : value;
  }
  if (Array.isArray(value)) return value.map(copy);
  if (!isPlain(value)) return platform.structuredClone(value);
  const copied: Record<string, unknown> = {};
  for (const key of Object.keys(value)) copied[key] = copy(Reflect.get(value, key));
  return copied;
};

const { defineProperty } = Object;

/**
 * Dexie replaces the global `Promise` at the border of every transaction. An assignment has the
 * same effect as a definition, and costs a fraction of it.
 */
const defineQuickly = <T>(target: T, name: PropertyKey, descriptor: PropertyDescriptor): T => {
  if (name !== 'Promise' || target !== globalThis) return defineProperty(target, name, descriptor);
  Reflect.set(globalThis, name, descriptor.value);
  return target;
};
Object.defineProperty = defineQuickly;

Reflect.deleteProperty(globalThis, 'BroadcastChannel');
Object.assign(globalThis, {
  setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]): unknown =>
    virtual === undefined ? platform.setImmediate(run, ...args) : virtual.soon(() => run(...args)),
  setTimeout: (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): unknown =>
    virtual === undefined
      ? platform.setTimeout(run, ms, ...args)
      : virtual.after(ms, () => run(...args)),
  clearTimeout: (handle: Parameters<typeof clearTimeout>[0]): void => {
    if (virtual === undefined) platform.clearTimeout(handle);
    else virtual.cancel(handle);
  },
  structuredClone: (value: unknown, options?: StructuredSerializeOptions): unknown =>
    virtual === undefined ? platform.structuredClone(value, options) : copy(value),
});
