import { parseChannel, ROOM_IDS, type RoomKey, toChannel, toRoomKey } from '../rooms.ts';
import { STAFF_CHANNEL, toOwnChannel } from '../schemas/mark-log.ts';

/**
 * Up to this many channels are named one by one in a subscription to the hosted engine: its
 * documentation advises no more, and this form needs no add-on.
 */
export const PLAIN_CHANNELS_MAX = 30;

/** The hosted engine's wildcard must be at the end, after at most two dots. */
const WILDCARD_DOTS_MAX = 2;

/** Whether a wildcard would match exactly the rooms of one client. */
export const isWildcardTemplate = (template: string): boolean => {
  const { length: parts } = template.split('.');
  return (
    template.endsWith('.{rid}') && template.includes('{cid}.') && parts - 1 <= WILDCARD_DOTS_MAX
  );
};

/**
 * The channels to subscribe to for all rooms of these clients and no other: each by name while they
 * are few, else one wildcard per client (`chat.c_001.*`) if the channel template allows it.
 */
export const toSubscription = (
  template: string,
  clientIds: readonly string[],
): readonly string[] => {
  const isFew = clientIds.length * ROOM_IDS.length <= PLAIN_CHANNELS_MAX;
  if (!isFew && isWildcardTemplate(template)) {
    return clientIds.map((clientId) =>
      template.replace('{cid}', clientId).replace(/\{rid\}$/, '*'),
    );
  }
  return clientIds.flatMap((clientId) =>
    ROOM_IDS.map((roomId) => toChannel(template, toRoomKey(clientId, roomId))),
  );
};

export const toSubscribedRooms = (
  template: string,
  channels: readonly string[],
): readonly RoomKey[] =>
  channels
    .flatMap((name) =>
      name.endsWith('*') ? ROOM_IDS.map((roomId) => name.slice(0, -1) + roomId) : [name],
    )
    .flatMap((channel) => parseChannel(template, channel) ?? []);

/** Bytes that a subscription takes in a URL, where `*` is written as `%2A`. */
export const toSubscriptionBytes = (channels: readonly string[]): number =>
  channels.reduce((sum, name) => sum + name.replace('*', '%2A').length + 1, 0);

export const isSubscribed = (channels: readonly string[], channel: string): boolean =>
  channels.includes(channel) || channels.includes(channel.replace(/\.[^.]*$/, '.*'));

/**
 * Whether a channel is neither a room nor matched by the wildcard of a client named like its first
 * part (`own.*`): that client's staff would read it.
 */
const isOutsideRooms = (template: string, channel: string): boolean =>
  [channel, channel.replace(/\..*/, `.${ROOM_IDS[0]}`)].every(
    (name) => parseChannel(template, name) === undefined,
  );

/**
 * The channel of the user log, one more plain name in the user's subscription. Undefined for a uid
 * that cannot be part of a name, and if the channel may be a room.
 */
export const findOwnChannel = (template: string, uid: string): string | undefined => {
  const channel = toOwnChannel(uid);
  return channel !== undefined && isOutsideRooms(template, channel) ? channel : undefined;
};

/** The channel of the staff log, likewise; undefined if it may be a room. */
export const findStaffChannel = (template: string): string | undefined =>
  isOutsideRooms(template, STAFF_CHANNEL) ? STAFF_CHANNEL : undefined;
