import { useCallback } from 'react';

import { shareQuery } from '#db/read/watch.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import { attempt } from '#db/schema/storage-errors.ts';
import { META } from '#db/schema/tables.ts';
import { write } from '#db/schema/write.ts';
import { CHOICES, KEPT_EARLIER, listChoices } from '#db/user/choices.ts';
import type { UserStore } from '#db/user/user-store.ts';
import { type AppError, NOT_OPEN } from '#domain/errors.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { findChanged } from '#domain/schemas/marks.ts';
import {
  type DashboardChoice,
  dashboardChoiceSchema,
  FIRST_DASHBOARD_CHOICE,
  parseHoursChoices,
  type PeriodDays,
  toHoursChoices,
} from '#domain/schemas/dashboard.ts';

import { useStore } from '../store-context.ts';
import { useShared } from '../use-shared.ts';

const findOfDevice = async (db: UserDatabase): Promise<DashboardChoice> => {
  const row = await db.findMeta(META.dashboard);
  return dashboardChoiceSchema.safeParse(row?.choice).data ?? FIRST_DASHBOARD_CHOICE;
};

const findChoice = async (db: UserDatabase): Promise<DashboardChoice> => {
  const [ofDevice, choices] = await Promise.all([findOfDevice(db), listChoices(db)]);
  return { ...ofDevice, ...parseHoursChoices(choices) };
};

/** An unreadable choice counts as the default. */
const openChoice = shareQuery<DashboardChoice>({ meta: KEPT_EARLIER, log: CHOICES }, findChoice);

/**
 * The user's dashboard settings: the period of this device, the hours of all devices; undefined
 * while loading.
 */
export const useDashboardChoice = (): DashboardChoice | undefined => useShared(openChoice);

const keepDays = (db: UserDatabase, days: PeriodDays): Promise<void> =>
  write(
    db,
    [db.meta],
    async () => {
      // An earlier version stored the hours in this row, too.
      const choice = { ...(await findOfDevice(db)), days };
      await db.putMeta({ key: META.dashboard, choice });
    },
    'relaxed',
  );

const keepChoice = async (
  store: UserStore,
  part: Partial<DashboardChoice>,
): Promise<Result<void, AppError>> => {
  const { database: db } = store;
  const { days } = part;
  const kept = days === undefined ? ok(undefined) : await attempt(db, () => keepDays(db, days));
  const found = kept.ok ? await attempt(db, () => findChoice(db)) : kept;
  if (!found.ok) return found;
  const next = { ...found.value, ...part };
  return store.recordChoices(() => findChanged(toHoursChoices(found.value), toHoursChoices(next)));
};

/** Stores a changed part of the dashboard settings. */
export const useKeepDashboardChoice = (): ((
  part: Partial<DashboardChoice>,
) => Promise<Result<void, AppError>>) => {
  const store = useStore();
  return useCallback(
    async (part) => (store === undefined ? fail(NOT_OPEN) : keepChoice(store, part)),
    [store],
  );
};
