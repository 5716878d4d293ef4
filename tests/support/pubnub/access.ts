import { randomBytes } from 'node:crypto';

export const READ = 1;
export const WRITE = 2;

type Bits = Readonly<Record<string, number>>;
interface Resources {
  readonly channels?: Bits | undefined;
  readonly groups?: Bits | undefined;
  readonly uuids?: Bits | undefined;
}

/** `POST /v3/pam/{subscribe key}/grant`, the parts that this program uses. */
export interface Grant {
  /** minutes */
  readonly ttl: number;
  readonly permissions: {
    readonly uuid?: string | undefined;
    readonly resources?: Resources;
    readonly patterns?: Resources;
  };
}

interface Issued {
  readonly grant: Grant;
  readonly expires: number;
  readonly isRevoked: boolean;
}

/** A refusal in the service's words: sources in `recorded-refusals.ts`. */
export interface Refusal {
  readonly message: string;
  readonly payload?: { readonly channels: readonly string[] };
  readonly error: true;
  readonly service: 'Access Manager';
  readonly status: 400 | 403;
}

export const refuse = (
  message: string,
  status: Refusal['status'] = 403,
  channels?: readonly string[],
): Refusal => ({
  message,
  ...(channels && { payload: { channels } }),
  error: true,
  service: 'Access Manager',
  status,
});

/** Every token begins with the same CBOR bytes: a map of version and time. */
const TOKEN_BEGIN = 'qEF2AkF0Gm';

/** Issues tokens and checks them on every request. */
export class AccessManager {
  readonly #issued = new Map<string, Issued>();

  /** The token contains its grant, so that it is about as long as a real one. */
  issue(grant: Grant): string {
    const body = Buffer.from(JSON.stringify(grant)).toString('base64url');
    const token = `${TOKEN_BEGIN}${randomBytes(8).toString('base64url')}${body}-_==`;
    this.#issued.set(token, { grant, expires: Date.now() + grant.ttl * 60_000, isRevoked: false });
    return token;
  }

  /** Expires all tokens issued so far. */
  expireAll(): void {
    for (const [token, issued] of this.#issued) this.#issued.set(token, { ...issued, expires: 0 });
  }

  /** Revokes all tokens issued so far. */
  revokeAll(): void {
    for (const token of this.#issued.keys()) this.revoke(token);
  }

  /** The reason why a token cannot be revoked; undefined if it was revoked. */
  revoke(token: string): 'Token is expired.' | 'Token is invalid.' | undefined {
    const issued = this.#issued.get(token);
    if (issued === undefined) return 'Token is invalid.';
    if (issued.expires <= Date.now()) return 'Token is expired.';
    this.#issued.set(token, { ...issued, isRevoked: true });
    return undefined;
  }

  /** Number of tokens that are valid now. */
  countLive(): number {
    const isLive = ({ isRevoked, expires }: Issued): boolean => !isRevoked && expires > Date.now();
    return [...this.#issued.values()].filter(isLive).length;
  }

  /** The reason why a request is refused; undefined if it is allowed. */
  check(
    token: string | null,
    uuid: string,
    channels: readonly string[],
    permission: number,
  ): Refusal | undefined {
    if (token === null) return refuse('Forbidden', 403, channels);
    const issued = this.#issued.get(token);
    if (issued === undefined) return refuse('Token is invalid.');
    if (issued.isRevoked) return refuse('Token is revoked');
    if (issued.expires <= Date.now()) return refuse('Token is expired.');
    const { permissions } = issued.grant;
    if (permissions.uuid !== undefined && permissions.uuid !== uuid) {
      return refuse('Token is not authorized for this user.');
    }
    const denied = channels.filter(
      (channel) => (findBits(issued.grant, channel) & permission) === 0,
    );
    return denied.length > 0 ? refuse('Forbidden', 403, denied) : undefined;
  }
}

/**
 * A grant lists channels by their exact names (`resources`) and by regular expressions
 * (`patterns`), and may have both: pubnub.com/docs/sdks/javascript/api-reference/access-manager,
 * "Grant token". A channel in neither is refused with 403 ("Any unauthorized request … will return
 * a 403").
 */
const findBits = ({ permissions }: Grant, channel: string): number => {
  const patterns = Object.entries(permissions.patterns?.channels ?? {});
  const byPattern = patterns
    .filter(([pattern]) => new RegExp(pattern).test(channel))
    .map(([, bits]) => bits);
  return [permissions.resources?.channels?.[channel] ?? 0, ...byPattern].reduce(
    (sum, bits) => sum | bits,
    0,
  );
};
