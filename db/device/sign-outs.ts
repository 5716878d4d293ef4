import type { SignOuts } from '#domain/ports/device.ts';

import type { DeviceDatabase } from '../schema/database.ts';
import { SIGN_OUTS } from '../schema/tables.ts';

/** See `DeviceStore.findSignOuts`. */
export const findSignOuts = async (db: DeviceDatabase): Promise<SignOuts> => {
  const rows = await db.signOuts.toArray();
  const counted = rows.find((row) => row.key === SIGN_OUTS.turn);
  return { turn: counted?.turn ?? 0, pending: rows.some(({ key }) => key === SIGN_OUTS.pending) };
};
