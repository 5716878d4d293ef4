import type { ChatPlace } from '#domain/routes.ts';

/** The content of the message pane, and which part fits on a phone. */
export interface ChatView {
  readonly kind:
    | 'choose-client'
    | 'choose-room'
    | 'room'
    | 'waiting'
    | 'unreachable'
    | 'unknown-client'
    | 'unknown-room';
  readonly shows: 'clients' | 'rooms' | 'pane';
}

const toKnownView = (place: ChatPlace): ChatView => {
  if (place.kind === 'client') return { kind: 'choose-room', shows: 'rooms' };
  return place.kind === 'room'
    ? { kind: 'room', shows: 'pane' }
    : { kind: 'unknown-room', shows: 'pane' };
};

/**
 * `known`: there is a list, of whatever age; `found`: the address names a client of the list;
 * `fresh`: the list is as fresh as possible; `failed`: it could not be fetched. A client counts
 * as unknown only if `fresh`.
 */
export const toChatView = (
  place: ChatPlace,
  clients: {
    readonly known: boolean;
    readonly found: boolean;
    readonly fresh: boolean;
    readonly failed: boolean;
  },
): ChatView => {
  if (place.kind === 'entry') {
    const isLost = clients.failed && !clients.known;
    return { kind: isLost ? 'unreachable' : 'choose-client', shows: 'clients' };
  }
  if (clients.found) return toKnownView(place);
  if (clients.failed) return { kind: 'unreachable', shows: 'pane' };
  return { kind: clients.fresh ? 'unknown-client' : 'waiting', shows: 'pane' };
};
