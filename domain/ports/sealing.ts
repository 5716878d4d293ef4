/** A person's key, which code cannot read out: a CryptoKey, opaque to the ports. */
export type SealingKey = object;

/** One encrypted text. */
export interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly data: ArrayBuffer;
}

/** Authenticated encryption with non-extractable keys. */
export interface Sealing {
  /** `raw`: 32 bytes in base64url. */
  importKey(raw: string): Promise<SealingKey>;
  /** Encrypts for one `owner`; no other owner can decrypt it. */
  seal(key: SealingKey, owner: string, text: string): Promise<Sealed>;
  /** Undefined if the key is wrong or the data was changed. */
  open(key: SealingKey, owner: string, sealed: Sealed): Promise<string | undefined>;
}
