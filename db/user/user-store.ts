import type { AppError } from '#domain/errors.ts';
import { toKindPrefix } from '#domain/envelope.ts';
import type { Fact } from '#domain/events.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';
import type { Store } from '#domain/ports/storage.ts';
import type { LeaderRow } from '#domain/project/rows.ts';
import { fail, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { MarkLogName } from '#domain/schemas/mark-log.ts';
import type { InboxChoice } from '#domain/rules/inbox.ts';

import { type DatabaseOptions, UserDatabase } from '../schema/database.ts';
import { type Drafts, loadAdoption, saveDrafts, takeDrafts } from './drafts.ts';
import { appendFacts } from '../log/event-log.ts';
import { findLeader } from '../log/fence.ts';
import { recordVisit } from './layout.ts';
import { findOwnKeys, saveOwnKeys } from './own-keys.ts';
import { followFlag } from './store-flag.ts';
import { OPEN_TIMEOUT_MS } from '../schema/limits.ts';
import { listUnsent } from '../log/readable-tables.ts';
import { findOlder, findRoomCoverage, listQueuedRooms } from '../read/queries.ts';
import { rebuildIfNeeded, tryUpdate } from '../log/rebuild.ts';
import { attempt, reportQueryFailed } from '../schema/storage-errors.ts';
import { DOCUMENTS, META, ROW_VERSION } from '../schema/tables.ts';
import { findTeamsFetchedAt } from '../read/fetched-lists.ts';
import { ALL_ROWS, watch, watchSpace } from '../read/watch.ts';
import { write } from '../schema/write.ts';

/** A user's store together with its database, from which the screens read. */
export interface UserStore extends Store {
  readonly database: UserDatabase;
  /** Replaces the drafts of one tab. */
  saveDrafts(tab: string, drafts: Drafts): Promise<Result<void, AppError>>;
  /** The drafts of `tab`, including those it adopts from closed tabs. */
  takeDrafts(tab: string, openTabs: ReadonlySet<string>): Promise<Result<Drafts, AppError>>;
  /** Records that a room was opened on this device. */
  recordVisit(room: RoomKey): Promise<Result<void, AppError>>;
  /** Stores whether the client column is expanded. */
  saveClientsWide(wide: boolean): Promise<Result<void, AppError>>;
  /** Stores the filter of the clients, and records their order as a mark, as far as given. */
  saveInboxChoice(choice: Partial<InboxChoice>): Promise<Result<void, AppError>>;
}

/** Needed by the leading tab: after the first paint. */
const loadLeading = () => import('./leading.ts');
type Leading = Awaited<ReturnType<typeof loadLeading>>;

const follow = <T>(
  db: UserDatabase,
  work: (loaded: Leading) => PromiseLike<T>,
): Promise<Result<T, AppError>> => attempt(db, async () => work(await loadLeading()));

/** Needed by the leading tab, once it is online. */
const loadStates = () => import('./log-states.ts');

/** Needed when the user records a mark or a choice. */
const loadRecorder = () => import('./record-marks.ts');

const using = async <Part>(
  db: UserDatabase,
  load: () => Promise<Part>,
  work: (loaded: Part) => Promise<Result<void, AppError>>,
): Promise<Result<void, AppError>> => {
  const loaded = await attempt(db, load);
  return loaded.ok ? work(loaded.value) : loaded;
};

/** The prefixes of the keys of facts about marks. */
const toMarkPrefixes = (name: MarkLogName): readonly string[] => {
  const kinds = name === 'own' ? (['read', 'mark'] as const) : (['mark'] as const);
  return kinds.map(toKindPrefix);
};

/** Needed long after the start. */
const loadRetention = () => import('../log/retention.ts');

const saveDocument = (
  db: UserDatabase,
  key: (typeof DOCUMENTS)[keyof typeof DOCUMENTS],
  value: readonly unknown[],
  fetchedAt: number,
): Promise<Result<void, AppError>> =>
  attempt(db, () =>
    write(db, [db.documents], async () => {
      await db.documents.put({ key, value, fetchedAt, v: ROW_VERSION });
    }),
  );

/** On a full disk, shows received messages from memory or makes space for outgoing ones. */
const append = async (
  db: UserDatabase,
  facts: readonly Fact[],
  fence?: number,
): Promise<Result<number, AppError>> => {
  const stored = await appendFacts(db, facts, fence);
  const isDone = stored.ok ? db.space.view.held.length === 0 : stored.error.kind !== 'quota';
  if (isDone) return stored;
  // Without this part, the result is the original error.
  const loaded = await import('../log/append-on-full-disk.ts').catch(() => undefined);
  return loaded === undefined ? stored : loaded.appendOnFullDisk(db, facts, fence, stored);
};

const tidy = async (db: UserDatabase, fence: number, now: number): Promise<number> => {
  const { pruneHistory } = await loadRetention();
  // Data that cannot be moved, for example on a full disk, is pruned where it is, unless its tables
  // must be rebuilt first.
  await tryUpdate(db);
  return pruneHistory(db, fence, now);
};

/** A closed tab may not have reported its last commit to the others. */
const watchLeader = (
  db: UserDatabase,
  listener: (leader: LeaderRow | undefined) => void,
): Unsubscribe => {
  let fence: number | undefined;
  return watch(
    db,
    { meta: [META.leader] },
    () => findLeader(db),
    (leader) => {
      if (fence !== undefined && leader?.fence !== fence) db.rows.reportAll();
      fence = leader?.fence;
      listener(leader);
    },
  );
};

/** Ends a watch that begins once its code has loaded. */
const watchLate = (db: UserDatabase, begun: Promise<Unsubscribe>): Unsubscribe => {
  const watching = begun.catch((error: unknown) => reportQueryFailed(db, 'late', error));
  return () => void watching.then((end) => end?.());
};

type Recorder = Awaited<ReturnType<typeof loadRecorder>>;

const recording = (
  db: UserDatabase,
  work: (recorder: Recorder) => Promise<Result<void, AppError>>,
): Promise<Result<void, AppError>> => using(db, loadRecorder, work);

const toUserStore = (db: UserDatabase): UserStore => ({
  database: db,
  append: (facts, fence) => append(db, facts, fence),
  watchQueuedRooms: (listener) =>
    watch(db, { outbox: ALL_ROWS }, () => listQueuedRooms(db), listener),
  watchSpace: (listener) => watchSpace(db, listener),
  saveKeys: (own) => attempt(db, () => saveOwnKeys(db, own)),
  hasKeys: () => attempt(db, async () => (await findOwnKeys(db)) !== undefined),
  listUnsent: () => attempt(db, () => listUnsent(db)),
  findOtherDrafts: (exceptTab) =>
    attempt(db, async () => (await loadAdoption()).findOtherDrafts(db, exceptTab)),
  findNextQueued: (room) => follow(db, ({ findNextQueued }) => findNextQueued(db, room)),
  findCoverage: (room) => attempt(db, () => findRoomCoverage(db, room)),
  findAllCoverage: () => follow(db, ({ findAllCoverage }) => findAllCoverage(db)),
  openSegment: (...given) => follow(db, ({ openStreamSegment }) => openStreamSegment(db, ...given)),
  closeSegment: (...given) =>
    follow(db, ({ closeStreamSegment }) => closeStreamSegment(db, ...given)),
  joinSegments: (...given) =>
    follow(db, ({ joinStreamSegments }) => joinStreamSegments(db, ...given)),
  dropBefore: (...given) =>
    attempt(db, async () => (await loadRetention()).dropBefore(db, ...given)),
  findOlder: (room, count, before) => attempt(db, () => findOlder(db, room, count, before)),
  watchRooms: (listener) =>
    watchLate(
      db,
      import('../read/listed-rooms.ts').then(({ watchRooms }) => watchRooms(db, listener)),
    ),
  watchUnreadGaps: (listener) =>
    watchLate(
      db,
      import('../read/unread-model.ts').then(({ unreadOf }) => unreadOf(db).watchGaps(listener)),
    ),
  findTeamsFetchedAt: () => attempt(db, () => findTeamsFetchedAt(db)),
  saveTeams: (teams, fetchedAt) => saveDocument(db, DOCUMENTS.teams, teams, fetchedAt),
  saveProducers: (list, fetchedAt) => saveDocument(db, DOCUMENTS.producers, list, fetchedAt),
  takeFence: (...given) => follow(db, ({ takeFence }) => takeFence(db, ...given)),
  writeHeartbeat: (...given) => follow(db, ({ writeHeartbeat }) => writeHeartbeat(db, ...given)),
  findCursor: () => attempt(db, async () => (await findLeader(db))?.cursor),
  prune: (fence, now) => attempt(db, () => tidy(db, fence, now)),
  forgetCoverage: (fence) => follow(db, ({ forgetCoverage }) => forgetCoverage(db, fence)),
  recordMarks: (marks) => recording(db, (recorder) => recorder.recordMarks(db, append, marks)),
  recordChoices: (choose) =>
    recording(db, (recorder) => recorder.recordChoices(db, append, choose)),
  findReadUpTo: (rooms) => follow(db, ({ findReadUpTo }) => findReadUpTo(db, rooms)),
  findRead: (positions) => attempt(db, async () => (await loadRecorder()).findRead(db, positions)),
  recordUnread: (positions) =>
    recording(db, (recorder) => recorder.recordUnread(db, append, positions)),
  listLocalMarks: (...given) =>
    attempt(db, async () => (await loadStates()).listLocalMarks(db, ...given)),
  watchLocalMarks: (log, listener) =>
    watch(db, { log: toMarkPrefixes(log) }, async () => undefined, listener),
  findLogState: (log) => attempt(db, async () => (await loadStates()).findLogState(db, log)),
  saveLogState: (...given) =>
    using(db, loadStates, ({ saveLogState }) => saveLogState(db, ...given)),
  watchLeader: (listener) => watchLeader(db, listener),
  saveDrafts: (tab, drafts) => attempt(db, () => saveDrafts(db, tab, drafts)),
  takeDrafts: (tab, openTabs) => attempt(db, () => takeDrafts(db, tab, openTabs)),
  recordVisit: (room) => attempt(db, () => recordVisit(db, room)),
  saveClientsWide: (wide) => recording(db, (recorder) => recorder.saveClientsWide(db, wide)),
  saveInboxChoice: (choice) =>
    recording(db, (recorder) => recorder.saveInboxChoice(db, append, choice)),
  onLost: (listener) => db.onLost(listener),
  close: () => db.end(),
});

/** The page then tells the user what to close; the attempt is repeated. */
const BLOCKED: AppError = { kind: 'timeout' };

/** Opens the database, or gives up if a frozen tab blocks an upgrade, which fires no event. */
const openInTime = async (db: UserDatabase): Promise<Result<void, AppError>> => {
  if (db.space.view.isClosed) await db.space.retry();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Result<void, AppError>>((resolve) => {
    timer = setTimeout(() => resolve(fail(BLOCKED)), OPEN_TIMEOUT_MS);
  });
  const opened = attempt(db, async () => {
    await db.open();
  });
  const result = await Promise.race([opened, late]);
  clearTimeout(timer);
  return result;
};

/**
 * Opens the store of one user and creates it on first use. Prepares its tables, see
 * `rebuildIfNeeded`; meanwhile `startReading` starts the queries of the first screen. Errors:
 * `quota`, `storage`, and `timeout` while another tab blocks the storage.
 */
export const openUserStore = async (
  uid: string,
  options: DatabaseOptions = {},
  startReading?: (db: UserDatabase) => unknown,
): Promise<Result<UserStore, AppError>> => {
  const db = new UserDatabase(uid, options);
  const opened = await openInTime(db);
  if (opened.ok) startReading?.(db);
  const ready = opened.ok ? await attempt(db, () => rebuildIfNeeded(db)) : opened;
  if (ready.ok) {
    followFlag(db);
    return { ok: true, value: toUserStore(db) };
  }
  db.end();
  return ready;
};
