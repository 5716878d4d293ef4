/** Why the embedded data could not be opened; `message` is meant for the operator. */
export interface EmbeddedError {
  readonly kind: 'in-use' | 'newer-schema' | 'unusable';
  readonly message: string;
}

/** The reason in a thrown value's own words. */
export const toReason = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
