import type { Producer } from '../schemas/producer.ts';
import type { User } from '../schemas/session.ts';
import { type Team, toFullName } from '../schemas/team.ts';

/** Everybody whose publisher is known in a room. */
export interface People {
  readonly user: User;
  readonly team: Team;
  /** The staff list; undefined until it was fetched once on this device. */
  readonly staff: readonly Producer[] | undefined;
}

/**
 * Who wrote an entry, by its publisher alone: the signed-in user, somebody on the staff list, the
 * room's client, nobody who is known here (`unknown`), or nobody who can be known yet, since there
 * is no staff list (`unchecked`).
 */
export type SenderRole = 'own' | 'staff' | 'client' | 'unknown' | 'unchecked';

export interface Sender {
  readonly role: SenderRole;
  /** Known senders' names are ours; the others' are claims. */
  readonly name: string;
  /** Decides the avatar's tint; empty for who is not known, who gets none. */
  readonly seed: string;
}

/** A client's apps publish under this and the client's id. */
const CLIENT_PUBLISHER_PREFIX = 'client:';

/** A claimed name beyond this is cut off, characters. */
const NAME_LENGTH_MAX = 64;
const NAMELESS = 'Unknown sender';

/** What is invisible, or turns the reading direction, could make one name look like another. */
const toPlainName = (claim: string): string => {
  const plain = claim
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const letters = Array.from(plain);
  return letters.length > NAME_LENGTH_MAX
    ? `${letters.slice(0, NAME_LENGTH_MAX).join('')}…`
    : plain;
};

/** A name of the signed-in user, down to the uid. */
const toUserName = (user: User): string =>
  [user.name, user.email].find((name) => name !== null && name !== undefined && name !== '') ??
  user.uid;

/**
 * Who an entry is from. The publisher is what the engine states, and alone decides who is known;
 * it has to match to the letter. The name in a payload is a claim, used only for senders who are
 * then shown as not known. A publisher of the clients' form is never staff, and a staff list
 * without anybody in it tells nothing about anybody.
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
