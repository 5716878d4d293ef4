import { type Team, toFullName } from '#domain/schemas/team.ts';
import type { Producer } from '#domain/schemas/producer.ts';
import type { User } from '#domain/schemas/session.ts';

/** Everybody whose name is known to this room. */
export interface People {
  readonly user: User;
  readonly team: Team;
  readonly producers: readonly Producer[];
}

export interface Sender {
  readonly name: string;
  readonly role: 'own' | 'staff' | 'client' | 'other';
  /** Decides the avatar's colour: the client's id, or the publisher. */
  readonly seed: string;
}

/** The engine states a client's entries under this publisher name. */
const CLIENT_PREFIX = 'client:';

/** A name of the signed-in user, down to the uid. */
const toUserName = (user: User): string =>
  [user.name, user.email].find((name) => name !== null && name !== undefined && name !== '') ??
  user.uid;

/**
 * Who an entry is from. The publisher is what the engine states and decides; the name in a
 * payload is unverified and used only where nobody is known under that publisher.
 */
export const toSender = (
  { publisher, clientName }: { readonly publisher: string; readonly clientName: string },
  { user, team, producers }: People,
): Sender => {
  if (publisher === user.uid) {
    return { name: toUserName(user), role: 'own', seed: publisher };
  }
  if (publisher === `${CLIENT_PREFIX}${team.client_id}`) {
    return { name: toFullName(team), role: 'client', seed: team.client_id };
  }
  const producer = producers.find((entry) => entry.uid === publisher);
  if (producer !== undefined) {
    return { name: producer.name, role: 'staff', seed: publisher };
  }
  return { name: clientName === '' ? publisher : clientName, role: 'other', seed: publisher };
};
