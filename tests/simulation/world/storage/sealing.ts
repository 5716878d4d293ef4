import type { SealingKey, Sealing } from '#domain/ports/sealing.ts';

const isFor = (key: SealingKey, owner: string): boolean => Reflect.get(key, 'sealsFor') === owner;

const toBytes = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer;
/** The content of an encrypted row, without the key. */
export const toPlain = (data: ArrayBuffer): string => new TextDecoder().decode(data);

/** Encrypts at once: real encryption would run outside the simulated time. */
export const SIM_SEALING: Sealing = {
  importKey: (raw) => Promise.resolve({ sealsFor: raw }),
  seal: (key, owner, text) =>
    isFor(key, owner)
      ? Promise.resolve({ iv: new Uint8Array(1), data: toBytes(text) })
      : Promise.reject(new Error('the key of somebody else')),
  open: (key, owner, { data }) => Promise.resolve(isFor(key, owner) ? toPlain(data) : undefined),
};
