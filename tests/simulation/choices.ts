import type { MarkLog } from '#domain/ports/network.ts';
import { splitRoomKey } from '#domain/rooms.ts';
import { parseMarkKey } from '#domain/schemas/marks.ts';

import type { SimTab } from './world/tab.ts';

/**
 * Mutes the open room or its client, pins that client, or changes a setting, or undoes one of
 * these.
 */
export const chooseSomething = async ({ desk, room, random }: SimTab): Promise<void> => {
  const { clientId } = splitRoomKey(room);
  const key = random.pick([
    `muted:${room}`,
    `muted:${clientId}`,
    `pinned:${clientId}`,
    'setting:sound',
  ]);
  await desk?.store.recordChoices(() => new Map([[key, random.pick(['1', ''])]]));
};

/** A log to which this device publishes everything except the choices of its user. */
export const withoutChoices = (log: MarkLog): MarkLog => ({
  ...log,
  publish: (id, payload, cancel) => {
    const marks = Object.entries(Object(payload['marks'])).filter(
      ([key]) => !('subject' in (parseMarkKey(key) ?? {})),
    );
    return log.publish(id, { ...payload, marks: Object.fromEntries(marks) }, cancel);
  },
});
