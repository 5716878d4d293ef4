import { ROOM_IDS, toChannelPattern } from '#domain/rooms.ts';

import { toAlternatives } from './alternatives.ts';

/** Subscribing to `a.b.*` is a permission of its own, on a channel of just that name. */
const WILDCARD = String.raw`\*`;

/**
 * The channels of these clients' rooms, and of nobody else's, as one regular expression.
 * Where the room stands last in the template, behind a dot, `{client}.*` belongs to them.
 */
export const toAccessPattern = (template: string, clientIds: readonly string[]): string => {
  const rooms = template.endsWith('.{rid}') ? [...ROOM_IDS, WILDCARD] : ROOM_IDS;
  return toChannelPattern(template, toAlternatives(clientIds), `(${rooms.join('|')})`);
};
