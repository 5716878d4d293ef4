import { useEffect, useRef } from 'react';

import { TEXTS } from '#domain/errors.ts';
import { showToast } from '#src/feedback/toast-store.ts';

import type { ThreadRow } from './thread-row.ts';

/** Tells of messages that fail while the room is open: the stored reason or the text of spec §8. */
export const useFailureToasts = (rows: readonly ThreadRow[]): void => {
  const waiting = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    for (const row of rows) {
      if (row.state === 'failed' && waiting.current.has(row.key)) {
        showToast('error', row.reason === '' ? TEXTS.publishFailed : row.reason);
      }
    }
    const still = rows.filter((row) => row.state === 'queued' || row.state === 'sending');
    waiting.current = new Set(still.map((row) => row.key));
  }, [rows]);
};
