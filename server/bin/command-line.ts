import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Exit code of a command that was called with wrong arguments or settings. */
const EXIT_USAGE = 2;

/** A failed write to the terminal must not end the process: it may be closed, or its disk full. */
export const ignoreTerminalErrors = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
};

/** Prints a text for the operator on stderr; returns the exit code, `EXIT_USAGE` by default. */
export const report = (text: string, exitCode = EXIT_USAGE): number => {
  process.stderr.write(`${text}\n`);
  return exitCode;
};

/** The arguments of this process as `parseArgs` of Node reads them; undefined if they are wrong. */
export const readArguments = <const T extends ParseArgsConfig>(
  config: T,
): ReturnType<typeof parseArgs<T>> | undefined => {
  try {
    return parseArgs(config);
  } catch {
    return undefined;
  }
};
