/** Why the embedded data could not be opened; `message` is for the operator. */
export interface EmbeddedError {
  readonly kind: 'in-use' | 'newer-schema' | 'unusable';
  readonly message: string;
}

/** The message of a thrown value. */
export const toReason = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
