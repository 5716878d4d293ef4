import type { Log } from '../kernel/log.ts';

/** Notices of one thing that breaks down and works again, from whoever uses it. */
export interface OutageLog {
  failed(fields: object): void;
  worked(): void;
}

/** Logs an outage once (level 50) and its end once, however often either is noticed. */
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
