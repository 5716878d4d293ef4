import { constants, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

import { type DestinationStream, type Logger, pino } from 'pino';

import {
  LOG_FLUSH_MS,
  LOG_RETRY_EVERY_MS,
  LOG_THROTTLE_MS,
  LOG_WAITING_BYTES_MAX,
} from './limits.ts';

const STDOUT = 1;

/**
 * A non-blocking file descriptor: a write that its reader does not accept fails at once. The first
 * use of stdout switches a pipe to non-blocking; a terminal is opened again for that, since the
 * descriptors of other programs share its mode.
 */
const openStdout = (): number => {
  if (!isatty(STDOUT)) return process.stdout.fd ?? STDOUT;
  try {
    return openSync('/dev/tty', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // No such file on this system, or not this process's terminal.
    return STDOUT;
  }
};

/** Lines in order, as bytes, that stdout did not accept yet; the first may be partly written. */
const createWaitingLines = () => {
  const lines: Buffer[] = [];
  let bytes = 0;
  let output: number | undefined;
  return {
    /** False beyond `LOG_WAITING_BYTES_MAX`. */
    add: (text: string): boolean => {
      const line = Buffer.from(text);
      if (bytes + line.length > LOG_WAITING_BYTES_MAX) return false;
      bytes += line.length;
      lines.push(line);
      return true;
    },
    /** Writes what stdout accepts now; true if nothing is pending. */
    write: (): boolean => {
      try {
        for (let line = lines[0]; line !== undefined; line = lines[0]) {
          output ??= openStdout();
          const written = writeSync(output, line);
          bytes -= written;
          if (written < line.length) lines[0] = line.subarray(written);
          else lines.shift();
        }
        return true;
      } catch {
        // A full pipe, a full disk, a closed terminal: there is no other place to report it.
        return false;
      }
    },
  };
};

/** The process is exiting: gives an active reader time to read the rest. */
const flushAtExit = (write: () => boolean): void => {
  const until = performance.now() + LOG_FLUSH_MS;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (!write() && performance.now() < until) Atomics.wait(pause, 0, 0, 10);
};

/**
 * Writes lines to stdout without waiting for it: lines that it refuses are queued in memory, in
 * order, up to `LOG_WAITING_BYTES_MAX`. Further ones are dropped, and one line counts them once
 * the reader reads again. Pino's own destination hangs if a process exits with its output
 * closed or its disk full.
 */
const createStdout = (): DestinationStream => {
  const waiting = createWaitingLines();
  let dropped = 0;
  let retry: NodeJS.Timeout | undefined;
  const drain = (): boolean => {
    if (!waiting.write()) return false;
    if (dropped === 0) return true;
    gaps.warn({ lines: dropped }, 'log lines dropped');
    dropped = 0;
    return waiting.write();
  };
  const drainLater = (): void => {
    retry = setTimeout(() => {
      retry = undefined;
      if (!drain()) drainLater();
    }, LOG_RETRY_EVERY_MS).unref();
  };
  const write = (line: string): void => {
    // One gap at a time: it ends where it is reported.
    if (dropped > 0 || !waiting.add(line)) dropped += 1;
    if (retry === undefined && !drain()) drainLater();
  };
  const gaps = createLog('warn', { write: (line) => void waiting.add(line) });
  process.once('exit', () => flushAtExit(drain));
  return { write };
};

/** One for all logs of the process. */
let stdout: DestinationStream | undefined;

/**
 * The structured log: one JSON object per line on stdout. Callers log names, statuses and
 * times, never cookies, tokens, passwords, query strings or message texts; the redaction below
 * is the second line of defence.
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
  return pino(options, destination ?? (stdout ??= createStdout()));
};

/** The audit trail uses the same destination at every log level except silent. */
export const createAuditLog = (level: string, destination?: DestinationStream): Logger =>
  createLog(level === 'silent' ? level : 'info', destination);

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/**
 * Writes a line at most once in `LOG_THROTTLE_MS`, for faults that may repeat thousands of times a
 * second. `now` is in ms since any time.
 */
export const createThrottledLog = (
  write: (fields: object) => void,
  now: () => number = () => performance.now(),
): ((fields: object) => void) => {
  let quietUntil = -Infinity;
  return (fields) => {
    if (now() < quietUntil) return;
    quietUntil = now() + LOG_THROTTLE_MS;
    write(fields);
  };
};
