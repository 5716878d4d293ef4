import { readdirSync, readFileSync } from 'node:fs';

const KILOBYTES_PER_MB = 1024;

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

const listProcesses = (): readonly Process[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1] ?? '';
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        return [{ pid: Number(name), parent: Number(stat.split(' ')[1]), command }];
      } catch {
        // The process ended meanwhile.
        return [];
      }
    });

/** The processes of the browser with a profile. */
export const findBrowserProcesses = (profile: string): readonly number[] => {
  const all = listProcesses();
  const found = new Set(
    all.filter(({ command }) => command.includes(profile)).map(({ pid }) => pid),
  );
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  if (found.size === 0) throw new Error('the browser has no processes');
  return [...found];
};

/**
 * Memory of all processes of the browser with a profile, MB: their proportional set size, in which
 * each page of memory that several processes share counts once.
 */
export const readBrowserMemory = (profile: string): number => {
  const kilobytes = findBrowserProcesses(profile).map((pid) => {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      return Number(/^Pss:\s+(?<size>\d+) kB/m.exec(rollup)?.groups?.['size']);
    } catch {
      // The process ended meanwhile.
      return 0;
    }
  });
  return kilobytes.reduce((sum, size) => sum + size, 0) / KILOBYTES_PER_MB;
};
