import type { Log } from '../kernel/log.ts';

/**
 * Records failures and successes of one service, from everything that uses it. Logs the start of an
 * outage once (level 50) and its end once, however often reported.
 */
export const createOutageLog = (log: Log, down: string, back: string) => {
  let isDown = false;
  return {
    failed: (fields: object): void => {
      if (!isDown) log.error(fields, down);
      isDown = true;
    },
    worked: (): void => {
      if (isDown) log.info(back);
      isDown = false;
    },
  };
};

export type OutageLog = ReturnType<typeof createOutageLog>;
