import type { SignOuts } from '#domain/ports/device.ts';

import type { DeviceDatabase } from '../schema/database.ts';
import { SIGN_OUTS, type SignOutRow } from '../schema/tables.ts';

/** The sign-outs recorded by the rows of the `signOuts` table. */
export const toSignOuts = (rows: readonly SignOutRow[]): SignOuts => {
  const counted = rows.find((row) => row.key === SIGN_OUTS.count);
  return {
    count: counted?.turn ?? 0,
    pending: rows.some(({ key }) => key === SIGN_OUTS.pending),
  };
};

/** See `DeviceStore.findSignOuts`. */
export const findSignOuts = async (db: DeviceDatabase): Promise<SignOuts> =>
  toSignOuts(await db.signOuts.toArray());
