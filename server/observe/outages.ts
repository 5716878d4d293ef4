import type { Log } from '../kernel/log.ts';

/** Records failures and successes of one service, from everything that uses it. */
export interface OutageLog {
  failed(fields: object): void;
  worked(): void;
}

/** Logs the start of an outage once (level 50) and its end once, however often reported. */
export const createOutageLog = (log: Log, down: string, back: string): OutageLog => {
  let isDown = false;
  return {
    failed: (fields) => {
      if (!isDown) log.error(fields, down);
      isDown = true;
    },
    worked: () => {
      if (isDown) log.info(back);
      isDown = false;
    },
  };
};
