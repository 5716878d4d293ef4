import { useCallback } from 'react';

import { shareQuery } from '#db/read/shared-query.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import { attempt } from '#db/schema/storage-errors.ts';
import { META, ROW_VERSION } from '#db/schema/tables.ts';
import { write } from '#db/schema/write.ts';
import type { AppError } from '#domain/errors.ts';
import { fail, type Result } from '#domain/result.ts';
import {
  type DashboardChoice,
  dashboardChoiceSchema,
  FIRST_DASHBOARD_CHOICE,
} from '#domain/schemas/dashboard.ts';

import { useStore } from '../store-context.ts';
import { useShared } from '../use-shared.ts';

const NOT_OPEN: AppError = { kind: 'storage', detail: 'The store is not open.' };

/** An unreadable choice is the first one. */
const openChoice = shareQuery<DashboardChoice>(async (db) => {
  const row = await db.meta.get(META.dashboard);
  const stored = row?.key === META.dashboard ? row.choice : undefined;
  return dashboardChoiceSchema.safeParse(stored).data ?? FIRST_DASHBOARD_CHOICE;
});

/** How the user looks at the dashboard on this device; undefined while loading. */
export const useDashboardChoice = (): DashboardChoice | undefined => useShared(openChoice);

const keepChoice = (db: UserDatabase, choice: DashboardChoice): Promise<void> => {
  const keep = async () => {
    await db.meta.put({ key: META.dashboard, choice, v: ROW_VERSION });
  };
  return write(db, [db.meta], keep, 'relaxed');
};

/** Stores how the user looks at the dashboard. */
export const useKeepDashboardChoice = (): ((
  choice: DashboardChoice,
) => Promise<Result<void, AppError>>) => {
  const db = useStore()?.database;
  return useCallback(
    async (choice) =>
      db === undefined ? fail(NOT_OPEN) : attempt(db, () => keepChoice(db, choice)),
    [db],
  );
};
