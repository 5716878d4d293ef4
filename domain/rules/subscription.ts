import { ROOM_IDS, toChannel, toRoomKey } from '../rooms.ts';

/**
 * Up to so many channels are named one by one in a subscription to the hosted engine: its
 * documents advise no more, and this form needs no add-on of the keyset.
 */
export const PLAIN_CHANNELS_MAX = 30;

/** The hosted engine's wildcard stands at the end, after two dots at most. */
const WILDCARD_DOTS_MAX = 2;

/** Whether the rooms of one client, and nothing else, are all a wildcard can mean. */
const isWildcardTemplate = (template: string): boolean => {
  const { length: parts } = template.split('.');
  return (
    template.endsWith('.{rid}') && template.includes('{cid}.') && parts - 1 <= WILDCARD_DOTS_MAX
  );
};

/**
 * What to subscribe to for all rooms of these clients and no other: one by one while they are
 * few, else by one wildcard per client (`chat.c_001.*`) where the channel template has room for it.
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

/** Bytes a subscription takes in a request's address, where `*` is written as `%2A`. */
export const toSubscriptionBytes = (channels: readonly string[]): number =>
  channels.reduce((sum, name) => sum + name.replace('*', '%2A').length + 1, 0);

/** Whether a subscription means this channel. */
export const isSubscribed = (channels: readonly string[], channel: string): boolean =>
  channels.includes(channel) || channels.includes(channel.replace(/\.[^.]*$/, '.*'));
