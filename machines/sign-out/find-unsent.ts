import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import { ok, type Result } from '#domain/result.ts';
import type { MarkLogName } from '#domain/schemas/mark-log.ts';
import { findNewMarks, parseMarkKey } from '#domain/schemas/marks.ts';

/** What a sign-out now would delete. */
export interface Unsent {
  readonly messages: boolean;
  /** Unsent messages can be encrypted, so that they may stay on this device. */
  readonly keepable: boolean;
  /** Marks of this device that their log lacks, as far as it was read. */
  readonly marks: boolean;
  /** Waiting for the marks is worthwhile: otherwise the user would be asked anyway. */
  readonly sharing: boolean;
  /** This tab or another has an unsent draft. */
  readonly drafts: boolean;
  /** Identifies these drafts; another one, or a change of one, results in another text. */
  readonly named: string;
  /** The user has to decide, or to know what is lost. */
  readonly asks: boolean;
}

/** The drafts that the user knows are lost: once the messages are sent, they are not named again. */
export type Named = Pick<Unsent, 'named'>;

/** `store`: the user's, if it could be opened. */
export interface UnsentInput {
  readonly store: Store | undefined;
  readonly uid: string;
  /** Whether this tab has an unsent draft now. */
  readonly hasDrafts: () => boolean;
}

type UnsentPorts = Pick<Ports, 'sessionApi' | 'tabId' | 'environment'>;

/** Requests the keys that encrypt unsent messages; false if they could not be stored. */
const fetchKeys = async (
  { sessionApi }: UnsentPorts,
  store: Store,
  uid: string,
  cancel: AbortSignal,
): Promise<boolean> => {
  const own = await sessionApi.getKeys(uid, cancel);
  return own.ok && (await store.saveKeys(own.value)).ok;
};

/** Read positions do not count: there are many, and losing one only shows messages as unread. */
const hasUnshared = async (store: Store, log: MarkLogName): Promise<Result<boolean, AppError>> => {
  const here = await store.listLocalMarks(log, undefined);
  if (!here.ok) return here;
  const known = await store.findLogState(log);
  if (!known.ok) return known;
  const lacking = [...findNewMarks(here.value.marks, known.value.marks).keys()];
  return ok(lacking.some((key) => parseMarkKey(key)?.kind !== 'read'));
};

/** What a sign-out of this user would delete. */
export const findUnsent = async (
  ports: UnsentPorts,
  { store, uid, hasDrafts, named: before }: UnsentInput & Named,
  cancel: AbortSignal,
): Promise<Result<Unsent, AppError>> => {
  if (store === undefined) {
    const none = { messages: false, keepable: false, marks: false, sharing: false };
    const drafts = hasDrafts();
    return ok({ ...none, drafts, named: '', asks: drafts });
  }
  const unsent = await store.listUnsent();
  if (!unsent.ok) return unsent;
  const stored = await store.findOtherDrafts(ports.tabId);
  if (!stored.ok) return stored;
  const own = await hasUnshared(store, 'own');
  if (!own.ok) return own;
  const staff = await hasUnshared(store, 'staff');
  if (!staff.ok) return staff;
  const messages = unsent.value.length > 0;
  // A message may also be accepted while the user is asked.
  const known = await store.hasKeys();
  const hasKeys = known.ok && known.value;
  const keepable = hasKeys || (messages && (await fetchKeys(ports, store, uid, cancel)));
  const marks = own.value || staff.value;
  const sharing = marks && !messages && ports.environment.isOnline();
  const isDrafting = hasDrafts();
  const drafts = isDrafting || stored.value !== undefined;
  const named = `${isDrafting} ${stored.value}`;
  const asks = messages || marks || (drafts && named !== before);
  return ok({ messages, keepable, marks, sharing, drafts, named, asks });
};
