import type { ClientLog } from '#domain/ports/browser.ts';
import type { Clock } from '#domain/ports/kit.ts';

import { LOG_DETAILS_CHARS_MAX, LOG_LINES_MAX, LOG_WINDOW_MS } from './limits.ts';

/** Sends a form without waiting for an answer, as `navigator.sendBeacon` does. */
export type SendBeacon = (url: string, body: URLSearchParams) => boolean;

const toDetails = (details: Readonly<Record<string, unknown>>): string => {
  try {
    return JSON.stringify(details).slice(0, LOG_DETAILS_CHARS_MAX);
  } catch {
    return '{}';
  }
};

/**
 * Writes to the server's `_log` (spec §7) and to the console. Beyond the limit of a window, lines
 * go to the console only, so that a repeated fault does not flood the server.
 */
export const createClientLog = (clock: Clock, send: SendBeacon): ClientLog => {
  let windowStart = 0;
  let sent = 0;
  const mayCount = (): boolean => {
    const now = clock.now();
    if (Math.abs(now - windowStart) >= LOG_WINDOW_MS) {
      windowStart = now;
      sent = 0;
    }
    sent += 1;
    return sent <= LOG_LINES_MAX;
  };
  return {
    write(level, code, details) {
      console[level](code, details);
      if (!mayCount()) return;
      try {
        send('/api/auth/_log', new URLSearchParams({ level, code, details: toDetails(details) }));
      } catch {
        // A line that cannot be sent is still in the console.
      }
    },
  };
};
