import type { Producer } from '../schemas/producer.ts';
import type { User } from '../schemas/session.ts';
import { type Team, toFullName } from '../schemas/team.ts';

/** Everyone whose publisher is known in a room. */
export interface People {
  readonly user: User;
  readonly team: Team;
  /** The staff list; undefined until this device has fetched it once. */
  readonly staff: readonly Producer[] | undefined;
}

/**
 * The author's role by publisher only: the signed-in user, a member of the staff list, the
 * room's client, someone unknown (`unknown`), or not yet known because there is no staff list
 * (`unchecked`).
 */
export type SenderRole = 'own' | 'staff' | 'client' | 'unknown' | 'unchecked';

export interface Sender {
  readonly role: SenderRole;
  /** Names of known senders come from our lists; other names are claims. */
  readonly name: string;
  /** Determines the avatar's tint; empty for unknown senders, who get none. */
  readonly seed: string;
}

/** A client's apps publish under this prefix and the client's id. */
export const CLIENT_PUBLISHER_PREFIX = 'client:';

const NAMELESS = 'Unknown sender';

/**
 * Removes invisible characters and those that change the reading direction: they could make one
 * name look like another. Only the first 64 are shown.
 */
const toPlainName = (claim: string): string =>
  claim
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .replace(/(?<=^.{64}).+/u, '…');

/** The name of the signed-in user, or their uid if there is none. */
const toUserName = (user: User): string =>
  [user.name, user.email].find((name) => name !== null && name !== undefined && name !== '') ??
  user.uid;

/**
 * The sender of an entry. Only the publisher, which the engine states, identifies a known sender;
 * it has to match exactly. The name in a payload is a claim, shown only for senders who are marked
 * as unknown. A publisher with the prefix of the clients is never staff, and an empty staff list
 * identifies no one.
 */
export const toSender = (
  { publisher, clientName }: { readonly publisher: string; readonly clientName: string },
  { user, team, staff }: People,
): Sender => {
  if (publisher === user.uid) return { role: 'own', name: toUserName(user), seed: publisher };
  if (publisher === `${CLIENT_PUBLISHER_PREFIX}${team.client_id}`) {
    return { role: 'client', name: toFullName(team), seed: team.client_id };
  }
  const isClient = publisher.startsWith(CLIENT_PUBLISHER_PREFIX);
  const member = isClient ? undefined : staff?.find(({ uid }) => uid === publisher);
  if (member !== undefined) return { role: 'staff', name: member.name, seed: publisher };
  const hasList = staff !== undefined && staff.length > 0;
  const name = toPlainName(clientName) || toPlainName(publisher) || NAMELESS;
  return { role: hasList || isClient ? 'unknown' : 'unchecked', name, seed: '' };
};

/**
 * The sender where no mark stands beside the name: "You", the name of a known sender, or
 * "Unverified". A name that anybody else claims could pass for a known one there.
 */
export const toSenderLabel = ({ role, name }: Sender): string => {
  if (role === 'own') return 'You';
  return role === 'staff' || role === 'client' ? name : 'Unverified';
};
