import { once } from 'node:events';

import type { ServerProcess } from './server-process.ts';
import { waitFor } from '../wait-for.ts';

/** A client of the service at the terminal client. */
export interface Terminal {
  /** Writes one line, as typed with Enter. */
  write(line: string): void;
  /** Waits until the terminal has shown a text. */
  waitForLine(text: string): Promise<void>;
  /** How often the terminal has shown a text. */
  count(text: string): number;
  close(): Promise<void>;
}

/** Starts the terminal client in a room and waits until it is connected. */
export const openTerminal = async (
  server: ServerProcess,
  clientId: string,
  room: string,
): Promise<Terminal> => {
  const child = server.openTerminal(clientId, room);
  let shown = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  }
  const terminal: Terminal = {
    write: (line) => child.stdin?.write(`${line}\n`),
    waitForLine: async (text) => {
      await waitFor(`"${text}" in the terminal`, () => {
        if (child.exitCode !== null) throw new Error(`the terminal client ended:\n${shown}`);
        return shown.includes(text);
      });
    },
    count: (text) => shown.split(text).length - 1,
    close: async () => {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
  await waitFor('the terminal client to connect', () => {
    if (child.exitCode !== null) throw new Error(`the terminal client ended:\n${shown}`);
    return shown !== '';
  });
  return terminal;
};
