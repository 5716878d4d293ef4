import type { OutboxItem } from '#domain/project/rows.ts';

import { listFailed } from '#db/read/queries.ts';
import { useStored } from './use-stored.ts';

const isSame = (a: readonly OutboxItem[], b: readonly OutboxItem[]): boolean =>
  a.length === b.length && a.every(({ id }, i) => id === b[i]?.id);

/** Own messages that were refused and not yet deleted, in all rooms; undefined while loading. */
export const useFailed = (): readonly OutboxItem[] | undefined =>
  useStored<readonly OutboxItem[]>('failed', '', async (db, last) => {
    const failed = await listFailed(db);
    return last && isSame(last, failed) ? last : failed;
  });
