import { writeSync } from 'node:fs';

import { type DestinationStream, type Logger, pino } from 'pino';

const STDOUT = 1;

/**
 * Lines that cannot be written (full disk, closed terminal, a reader that stopped reading)
 * are dropped: pino's own destination ends or halts the process over them.
 */
const stdout: DestinationStream = {
  write: (line) => {
    try {
      writeSync(STDOUT, line);
    } catch {
      // There is nowhere left to say so.
    }
  },
};

/**
 * The structured log: one JSON object per line on stdout. Callers log names, statuses and
 * times, never cookies, tokens, passwords, query strings or message texts; the redaction
 * below is the second line of defence.
 */
export const createLog = (level: string, destination: DestinationStream = stdout): Logger => {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['password', 'token', 'cookie', 'authorization', 'secret', '*.password', '*.token'],
      censor: '[hidden]',
    },
  };
  return pino(options, destination);
};

/**
 * The audit trail goes to the same place, whatever the level of the log; nothing at all is
 * written only where the operator asked for silence.
 */
export const createAuditLog = (level: string, destination?: DestinationStream): Logger =>
  createLog(level === 'silent' ? level : 'info', destination);

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
