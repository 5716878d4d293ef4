import * as z from 'zod';

import { parseJson } from '#domain/schemas/json.ts';

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
  const parsed = storedSchema.safeParse(parseJson(text));
  return parsed.success ? [{ handle, ...parsed.data }] : [];
};

/**
 * Open sessions in the store that instances share: a hash per person, which expires with the
 * last of them. It contains devices and times; persons appear as keyed hashes, sessions as plain
 * hashes of their random ids.
 */
export const createSharedSessionStore = (store: SharedStore): SessionStore => {
  const toName = (key: string): string => `sessions:${key}`;
  /**
   * The hashes of a person; sessions that were not used since a change of the secret are in the
   * last.
   */
  const toNames = (uid: string) => store.toKeys(`uid ${uid}`).map(toName);
  return {
    save: async (records: readonly PersonalRecord[]) => {
      if (records.length === 0) return;
      await store.askAll((calls) => {
        for (const { uid, handle, ...record } of records) {
          const name = toName(store.toKeys(`uid ${uid}`)[0]);
          calls.hset(name, handle, JSON.stringify(record));
          // The whole lifetime of a session: none of the person's other sessions ends later.
          calls.pexpire(name, Math.ceil(record.until - record.since));
        }
        return calls;
      });
    },
    list: async (uid) => {
      const records = new Map<string, SessionRecord>();
      // The current record of a session replaces an older one.
      for (const name of toNames(uid).toReversed()) {
        const fields = await store.ask((redis) => redis.hgetall(name));
        for (const [handle, text] of Object.entries(fields)) {
          for (const record of parseRecord(handle, text)) records.set(handle, record);
        }
      }
      return [...records.values()];
    },
    remove: async (uid, handles) => {
      if (handles.length === 0) return;
      for (const name of toNames(uid)) await store.ask((redis) => redis.hdel(name, ...handles));
    },
  };
};
