import { type DestinationStream, type Logger, pino } from 'pino';

/**
 * The structured log: one JSON object per line on stdout. Callers log names, statuses and
 * times, never cookies, tokens, passwords, query strings or message texts; the redaction
 * below is the second line of defence.
 */
export const createLog = (level: string, destination?: DestinationStream): Logger => {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['password', 'token', 'cookie', 'authorization', 'secret', '*.password', '*.token'],
      censor: '[hidden]',
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
};

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
