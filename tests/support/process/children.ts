import type { ChildProcess } from 'node:child_process';

const children = new Set<ChildProcess>();

/** Ends all children of the tests that are still running. */
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

// Vitest ends its workers with this signal, which by itself skips `exit`.
process.once('SIGTERM', () => process.exit(143));

/** Ensures that a child process does not outlive this one. */
export const adopt = <T extends ChildProcess>(child: T): T => {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
};
