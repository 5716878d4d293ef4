import type { OutboxItem } from '#domain/project/rows.ts';
import { parseOutboxItem, type RowParser } from '#domain/project/row-schemas.ts';
import type { RoomKey } from '#domain/rooms.ts';

import type { ChangedRows, RowChanges } from '../schema/row-changes.ts';
import { toCoverageKey } from '../schema/tables.ts';

/** Changed rows, listed by key. */
export type Listed = Exclude<ChangedRows, 'all'>;

export const NONE: Listed = new Map();

/** Changed rows with their values; undefined for deleted ones. */
type Values<T> = ReadonlyMap<string, T | undefined>;

/** The values of rows that this page wrote; undefined if one of them has to be read. */
export const toValues = <T>(changed: Listed, parse: RowParser<T>): Values<T> | undefined => {
  const values = new Map<string, T | undefined>();
  for (const [key, written] of changed) {
    if (written === undefined) return undefined;
    const parsed = written.row === undefined ? undefined : parse(written.row);
    if (parsed?.ok === false) return undefined;
    values.set(key, parsed?.value);
  }
  return values;
};

export const changesCoverage = (room: RoomKey, changes: RowChanges): boolean => {
  const coverage = changes.get('coverage') ?? NONE;
  return coverage === 'all' || coverage.has(toCoverageKey(room)) || coverage.has(room);
};

/** Whether messages of a room changed that are stored in the format of earlier versions. */
export const changesOld = (room: RoomKey, changes: RowChanges): boolean => {
  const messages = changes.get('messages') ?? NONE;
  return messages === 'all' || onlyOf(room, messages).size > 0;
};

/** The changed messages of one room. */
export const onlyOf = (room: RoomKey, messages: Listed): Listed => {
  const prefix = `${room}|`;
  return new Map([...messages].filter(([key]) => key.startsWith(prefix)));
};

/**
 * The changed outbox items that belong or may belong to one room: of other tabs' changes only the
 * id is known.
 */
export const onlyOutboxOf = (
  room: RoomKey,
  outbox: Listed,
  known: readonly OutboxItem[] = [],
): Listed => {
  const isOfRoom = (id: string): boolean => {
    const written = outbox.get(id);
    if (written === undefined || known.some((item) => item.id === id)) return true;
    const item = parseOutboxItem(written.row);
    return item.ok && item.value.room === room;
  };
  return new Map([...outbox].filter(([id]) => isOfRoom(id)));
};

/** The unsent messages of a room after some of them changed. */
export const replaceItems = (
  room: RoomKey,
  items: readonly OutboxItem[],
  changed: Values<OutboxItem>,
): readonly OutboxItem[] => {
  const added = [...changed.values()].filter((item) => item !== undefined);
  return [...items.filter(({ id }) => !changed.has(id)), ...added].filter(
    (item) => item.room === room,
  );
};

/** The parts that a thread has to read, because they may have changed. */
export interface Due {
  /** Everything, because the changed rows are not known. */
  isAll: boolean;
  /** The outbox and the coverage. */
  isRest: boolean;
  /** Keys of stored messages. */
  readonly keys: Set<string>;
}

export const toNothingDue = (): Due => ({ isAll: false, isRest: false, keys: new Set() });
export const isAnyDue = ({ isAll, isRest, keys }: Due): boolean => isAll || isRest || keys.size > 0;
