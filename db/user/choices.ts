import { toMarkPrefix } from '#domain/envelope.ts';
import { DEFAULT_INBOX, isOrder, ORDER_KEY } from '#domain/rules/inbox.ts';
import {
  CHOICE_KINDS,
  type Choices,
  type Marks,
  toChoices,
  withEarlier,
} from '#domain/schemas/marks.ts';
import { dashboardChoiceSchema, toHoursChoices } from '#domain/schemas/dashboard.ts';
import { notificationChoiceSchema, toSharedChoices } from '#domain/schemas/notification.ts';

import { toMarks } from '../facts/list-marks.ts';
import type { UserDatabase } from '../schema/database.ts';
import { META, type MetaRow } from '../schema/tables.ts';

/** Keys of the rows of this device's choices. */
export const KEPT_EARLIER = [META.notifications, META.dashboard, META.inbox] as const;

const readKept = (row: MetaRow | undefined): Choices => {
  if (row?.key === META.notifications) {
    const { data } = notificationChoiceSchema.safeParse(row.choice);
    return data ? toSharedChoices(data) : new Map();
  }
  if (row?.key === META.dashboard) {
    const { data } = dashboardChoiceSchema.safeParse(row.choice);
    return data ? toHoursChoices(data) : new Map();
  }
  const order = row?.key === META.inbox ? row.order : undefined;
  return new Map(isOrder(order) && order !== DEFAULT_INBOX.order ? [[ORDER_KEY, order]] : []);
};

/**
 * The choices that an earlier version stored on this device only, in rows whose values this version
 * preserves.
 */
export const listEarlierChoices = async ({ meta }: UserDatabase): Promise<Choices> => {
  const rows = await meta.bulkGet([...KEPT_EARLIER]);
  return new Map(rows.flatMap((row) => Array.from(readKept(row))));
};

/** Prefixes of the keys of facts about choices. */
export const CHOICES = CHOICE_KINDS.map(toMarkPrefix);

export const listChoiceMarks = async (db: UserDatabase): Promise<Marks> => {
  const facts = db.log.where('key').startsWithAnyOf(CHOICES);
  const [earlier, stored] = await Promise.all([listEarlierChoices(db), facts.toArray()]);
  return withEarlier(toMarks(stored), earlier);
};

/** The user's choices, from any device that shared them. */
export const listChoices = async (db: UserDatabase): Promise<Choices> =>
  toChoices(await listChoiceMarks(db));
