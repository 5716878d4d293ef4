import { createHash } from 'node:crypto';

import type { DeniedSessions } from '../denied/denied-sessions.ts';
import {
  SESSION_ABSOLUTE_FACTOR,
  SESSION_SEEN_EVERY_MS,
  SESSIONS_PER_PERSON_MAX,
  SESSIONS_SEEN_MAX,
} from '../kernel/limits.ts';
import type { Log } from '../kernel/log.ts';
import { toDeviceName } from './device-name.ts';
import type { PersonalRecord, SessionRecord, SessionStore } from './session-store.ts';

/** The part of a session that the registry uses. Times are ms since the epoch. */
export interface ListedSession {
  readonly uid: string;
  readonly sid: string;
  readonly since: number;
  /** The latest possible end of all its cookies, however much it is used. */
  readonly until: number;
}

/** The open sessions of everyone. */
export interface SessionRegistry {
  /**
   * Adds a session; rejects if it cannot be stored. Beyond the limit, ends the least recently used
   * and returns them. The caller then ends the session `replaced`, which does not count.
   */
  begin(
    session: ListedSession,
    request: Request,
    replaced?: string,
  ): Promise<readonly SessionRecord[]>;
  /** Records that a session is in use: in memory, written once a minute. */
  recordUse(session: ListedSession, request: Request): void;
  /** Open sessions, most recently used first; rejects if they cannot be read. */
  list(uid: string): Promise<readonly SessionRecord[]>;
  /** Ends sessions of a person, everywhere and at once. */
  end(uid: string, records: readonly SessionRecord[]): Promise<void>;
  /** Removes an ended session from the list. */
  forget(session: ListedSession): void;
  toHandle(sid: string): string;
  close(): Promise<void>;
}

interface RegistryDeps {
  readonly store: SessionStore;
  readonly denied: DeniedSessions;
  /** A session expires when unused this long, ms. */
  readonly idleMs: number;
  readonly now: () => number;
  readonly log: Log;
}

/** Ids are random, so a hash without a key hides them, and a new secret changes no handle. */
const toHandle = (sid: string): string =>
  createHash('sha256').update(`session handle ${sid}`).digest('base64url').slice(0, 22);

/** Sessions in use, written together once a minute: a write per request would be one per click. */
const createSeen = ({ store, denied, now, log }: RegistryDeps) => {
  const recorded = new Map<string, number>();
  const waiting = new Map<string, PersonalRecord>();
  const bound = (map: Map<string, unknown>): void => {
    const oldest = map.size > SESSIONS_SEEN_MAX ? map.keys().next().value : undefined;
    if (oldest !== undefined) map.delete(oldest);
  };
  const wait = (record: PersonalRecord): void => {
    waiting.set(record.handle, record);
    bound(waiting);
  };
  const flush = async (): Promise<void> => {
    const records = [...waiting.values()];
    waiting.clear();
    // A session that was ended meanwhile must not return to the list.
    const open = records.filter(({ mark }) => !denied.hasMark(mark));
    if (open.length === 0) return;
    await store.save(open).catch((error: unknown) => {
      log.warn({ err: error }, 'the last use of sessions could not be stored');
      // Tried again with the next ones: a session without its last use would seem to have ended.
      for (const record of open) if (!waiting.has(record.handle)) wait(record);
    });
  };
  const timer = setInterval(() => void flush(), SESSION_SEEN_EVERY_MS).unref();
  return {
    waiting,
    isDue: (sid: string): boolean => now() - (recorded.get(sid) ?? 0) >= SESSION_SEEN_EVERY_MS,
    record: (sid: string, record: PersonalRecord): void => {
      recorded.delete(sid);
      recorded.set(sid, record.seen);
      bound(recorded);
    },
    wait,
    close: async (): Promise<void> => {
      clearInterval(timer);
      await flush();
    },
  };
};

const createToRecord =
  ({ denied, now }: RegistryDeps) =>
  ({ uid, sid, since, until }: ListedSession, request: Request): PersonalRecord => ({
    uid,
    handle: toHandle(sid),
    mark: denied.toMark(sid),
    device: toDeviceName(request.headers.get('user-agent')),
    since,
    seen: now(),
    until,
  });

type RemoveEnded = (uid: string, handles: readonly string[]) => Promise<void>;

/** Removes ended sessions from the list; one that remains in it is denied and never shown. */
const createRemoveEnded =
  ({ store, log }: RegistryDeps): RemoveEnded =>
  async (uid, handles) => {
    await store.remove(uid, handles).catch((error: unknown) => {
      log.debug({ err: error }, 'an ended session stays in the list');
    });
  };

interface Listed {
  /** Most recently used first. */
  readonly open: readonly SessionRecord[];
  readonly ended: readonly SessionRecord[];
}

/** A record with its last use; an earlier cookie may still last as long as it did. */
const toLatest = (stored: SessionRecord, used: PersonalRecord | undefined): SessionRecord =>
  used === undefined ? stored : { ...used, until: Math.max(used.until, stored.until) };

/** Sessions of a person, including last uses that are not written yet. */
const createRead =
  ({ store, denied, idleMs, now }: RegistryDeps, waiting: ReadonlyMap<string, PersonalRecord>) =>
  async (uid: string): Promise<Listed> => {
    const isOpen = ({ mark, until, seen }: SessionRecord): boolean =>
      Math.min(until, seen + idleMs) > now() && !denied.hasMark(mark);
    const records = (await store.list(uid)).map((record) =>
      toLatest(record, waiting.get(record.handle)),
    );
    return {
      open: records.filter(isOpen).toSorted((a, b) => b.seen - a.seen),
      ended: records.filter((record) => !isOpen(record)),
    };
  };

const createEnd =
  (
    removeEnded: RemoveEnded,
    { denied, idleMs }: RegistryDeps,
    waiting: Map<string, PersonalRecord>,
  ): SessionRegistry['end'] =>
  async (uid, records) => {
    // A request may renew its cookie under a raised limit after the record was read.
    const toDeniedUntil = ({ since, until }: SessionRecord): number =>
      Math.max(until, since + idleMs * SESSION_ABSOLUTE_FACTOR);
    const handles = records.map(({ handle }) => handle);
    for (const handle of handles) waiting.delete(handle);
    await Promise.all(records.map((record) => denied.addMark(record.mark, toDeniedUntil(record))));
    await removeEnded(uid, handles);
  };

export const createSessionRegistry = (deps: RegistryDeps): SessionRegistry => {
  const { store } = deps;
  const removeEnded = createRemoveEnded(deps);
  const toRecord = createToRecord(deps);
  const seen = createSeen(deps);
  const read = createRead(deps, seen.waiting);
  const end = createEnd(removeEnded, deps, seen.waiting);
  return {
    begin: async (session, request, replaced = '') => {
      const record = toRecord(session, request);
      await store.save([record]);
      seen.record(session.sid, record);
      const { open, ended } = await read(session.uid);
      const before = toHandle(replaced);
      const beyond = open.filter(({ handle }) => handle !== before).slice(SESSIONS_PER_PERSON_MAX);
      await end(session.uid, beyond);
      // Expired ones would otherwise stay as long as the person returns.
      await removeEnded(
        session.uid,
        ended.map(({ handle }) => handle),
      );
      return beyond;
    },
    recordUse: (session, request) => {
      if (!seen.isDue(session.sid)) return;
      const record = toRecord(session, request);
      seen.record(session.sid, record);
      seen.wait(record);
    },
    list: async (uid) => (await read(uid)).open,
    end,
    forget: ({ uid, sid }) => {
      const handle = toHandle(sid);
      seen.waiting.delete(handle);
      void removeEnded(uid, [handle]);
    },
    toHandle,
    close: () => seen.close(),
  };
};
