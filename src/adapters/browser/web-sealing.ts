import type { Sealing, SealingKey } from '#domain/ports/sealing.ts';

const ALGORITHM = 'AES-GCM';
/** Initialization vector: random bytes, as NIST SP 800-38D allows up to 2^32 times per key. */
const IV_BYTES = 12;

const mustBeKey = (key: SealingKey): CryptoKey => {
  if (!(key instanceof CryptoKey)) throw new TypeError('not a CryptoKey');
  return key;
};

const toBytes = (base64url: string): Uint8Array<ArrayBuffer> => {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
};

const toParams = (owner: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams => ({
  name: ALGORITHM,
  iv,
  additionalData: new TextEncoder().encode(`replay-desk kept v1 ${owner}`),
});

/** `Sealing` with WebCrypto (AES-256-GCM). Needs a secure context, like the whole page. */
export const createWebSealing = (): Sealing => ({
  importKey: (raw) =>
    crypto.subtle.importKey('raw', toBytes(raw), ALGORITHM, false, ['encrypt', 'decrypt']),
  async seal(key, owner, text) {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const bytes = new TextEncoder().encode(text);
    const data = await crypto.subtle.encrypt(toParams(owner, iv), mustBeKey(key), bytes);
    return { iv, data };
  },
  async open(key, owner, { iv, data }) {
    try {
      const bytes = await crypto.subtle.decrypt(toParams(owner, iv), mustBeKey(key), data);
      return new TextDecoder().decode(bytes);
    } catch {
      return undefined;
    }
  },
});
