/** The keys of the double, and their add-ons. */
export interface Keyset {
  /** Any value if absent, like the two others. */
  readonly subscribeKey?: string;
  readonly publishKey?: string;
  readonly secretKey?: string;
  /** Whether every request needs a token (Access Manager). */
  readonly needsToken: boolean;
  /** Message Persistence. */
  readonly persists: boolean;
  /** Stream Controller: `a.b.*` includes all channels below. */
  readonly hasWildcards: boolean;
  /** "Revoke v3 Token". */
  readonly revokes: boolean;
}

export const KEYSET_DEFAULT: Keyset = {
  needsToken: false,
  persists: true,
  hasWildcards: true,
  revokes: true,
};

const isKey = (wanted: string | undefined, given: string | undefined): boolean =>
  wanted === undefined || wanted === given;

/** Whether the URL of a request names this keyset; `time` names none. */
export const isOfKeyset = ({ subscribeKey }: Keyset, parts: readonly string[]): boolean => {
  const [first, second] = parts;
  if (first === 'time') return true;
  return isKey(subscribeKey, parts[second === 'history' ? 3 : 2]);
};

export const isPublishKey = ({ publishKey }: Keyset, parts: readonly string[]): boolean =>
  isKey(publishKey, parts[1]);
