import * as z from 'zod';

import type { SharedStore } from '../shared/shared-store.ts';
import type { PersonalRecord, SessionRecord, SessionStore } from './session-store.ts';

const storedSchema = z.object({
  mark: z.string(),
  device: z.string(),
  since: z.number(),
  seen: z.number(),
  until: z.number(),
});

const parseRecord = (handle: string, text: string): readonly SessionRecord[] => {
  try {
    const parsed = storedSchema.safeParse(JSON.parse(text));
    return parsed.success ? [{ handle, ...parsed.data }] : [];
  } catch {
    return [];
  }
};

/**
 * Open sessions in the store that instances share: a hash per person, which expires with the
 * last of them. It contains devices and times; persons appear as keyed hashes, sessions as plain
 * hashes of their random ids.
 */
export const createSharedSessionStore = (store: SharedStore): SessionStore => {
  const toName = (uid: string): string => `sessions:${store.toKey(`uid ${uid}`)}`;
  return {
    save: async (records: readonly PersonalRecord[]) => {
      if (records.length === 0) return;
      await store.askAll((calls) => {
        for (const { uid, handle, ...record } of records) {
          calls.hset(toName(uid), handle, JSON.stringify(record));
          // The whole life of a session: none of the person's other sessions ends later.
          calls.pexpire(toName(uid), Math.ceil(record.until - record.since));
        }
        return calls;
      });
    },
    list: async (uid) => {
      const fields = await store.ask((redis) => redis.hgetall(toName(uid)));
      return Object.entries(fields).flatMap(([handle, text]) => parseRecord(handle, text));
    },
    remove: async (uid, handles) => {
      if (handles.length > 0) await store.ask((redis) => redis.hdel(toName(uid), ...handles));
    },
  };
};
