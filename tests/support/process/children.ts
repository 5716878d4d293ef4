import type { ChildProcess } from 'node:child_process';

const children = new Set<ChildProcess>();

/** Whatever the tests started and have not ended goes when they go. */
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Makes sure that a child process does not outlive this one. */
export const adopt = <T extends ChildProcess>(child: T): T => {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
};
