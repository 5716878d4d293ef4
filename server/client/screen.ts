import { clearLine, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline';

import { type LogEntry, parseIncoming } from '#domain/schemas/message.ts';
import { toEpochMs } from '#domain/timetoken.ts';

/** The terminal: reads lines, prints messages and notices. */
export interface ClientScreen {
  showEntry(entry: LogEntry): void;
  /** A notice about the connection, separate from the conversation (standard error). */
  notice(text: string): void;
  onLine(listener: (line: string) => void): void;
  /** The input ended. */
  onEnd(listener: () => void): void;
  close(): void;
}

const CONTROL = /(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** Foreign text must not control the terminal: control characters are shown as text. */
const toPlain = (text: string): string =>
  text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' ').replaceAll(CONTROL, '\uFFFD');

const toClock = (at: Date): string =>
  [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');

const toDay = (at: Date): string =>
  at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** `HH:MM name: text`; further lines of a text are indented below it. */
const toLine = ({ publisher, message }: LogEntry): string => {
  const incoming = parseIncoming(message);
  if (incoming.kind === 'unreadable')
    return `${toPlain(publisher)}: (this message can't be shown here)`;
  const name = toPlain(incoming.clientName || publisher).replaceAll('\n', ' ');
  return `${name}: ${toPlain(incoming.text).replaceAll('\n', '\n      ')}`;
};

/** Prints above the line being typed, and restores that. */
const createPrinter = (reader: Interface, isTerminal: boolean) => {
  let isTyping = isTerminal;
  reader.once('close', () => (isTyping = false));
  return (stream: NodeJS.WriteStream, text: string): void => {
    if (isTyping) {
      clearLine(process.stdout, 0);
      cursorTo(process.stdout, 0);
    }
    stream.write(`${text}\n`);
    if (isTyping) reader.prompt(true);
  };
};

/** Opens the terminal; piped input and output work as well, without a prompt. */
export const openClientScreen = (): ClientScreen => {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  const output = isTerminal ? { output: process.stdout, prompt: '> ' } : {};
  const reader = createInterface({ input: process.stdin, crlfDelay: Infinity, ...output });
  // Without its output the client is invisible to a person, who would have to end it.
  if (process.stdin.isTTY) process.stdout.once('error', () => reader.close());
  const print = createPrinter(reader, isTerminal);
  let day = '';
  return {
    showEntry: (entry) => {
      const at = new Date(toEpochMs(entry.timetoken));
      if (toDay(at) !== day) print(process.stdout, `— ${(day = toDay(at))} —`);
      print(process.stdout, `${toClock(at)} ${toLine(entry)}`);
    },
    notice: (text) => print(process.stderr, text),
    onLine: (listener) => {
      reader.on('line', (line) => {
        // The typed line appears as a message once it is stored.
        if (isTerminal) moveCursor(process.stdout, 0, -1);
        listener(line);
        if (isTerminal) reader.prompt();
      });
    },
    onEnd: (listener) => {
      reader.on('close', listener);
    },
    close: () => {
      reader.close();
      process.stdin.destroy();
    },
  };
};
