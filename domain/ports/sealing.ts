/** A key of one person that never leaves the browser's own code: a CryptoKey, to the ports opaque. */
export type SealingKey = object;

/** One sealed text. */
export interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly data: ArrayBuffer;
}

/** Authenticated encryption under keys that cannot be read out again. */
export interface Sealing {
  /** `raw`: 32 bytes in base64url. */
  importKey(raw: string): Promise<SealingKey>;
  /** What is sealed for one `owner` opens for no other. */
  seal(key: SealingKey, owner: string, text: string): Promise<Sealed>;
  /** Undefined where the key is another one or the data was changed. */
  open(key: SealingKey, owner: string, sealed: Sealed): Promise<string | undefined>;
}
