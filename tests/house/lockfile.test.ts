import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const run = promisify(execFile);

const readLock = async (): Promise<Readonly<Record<string, LockedPackage>>> => {
  const text = await readFile(path.resolve('package-lock.json'), 'utf8');
  return (JSON.parse(text) as { packages: Record<string, LockedPackage> }).packages;
};

describe('the lockfile', () => {
  // `npm ci` refuses a lockfile without them, even those for other systems.
  it('names every platform variant of every tool', async () => {
    const packages = await readLock();
    const places = Object.keys(packages);
    const missing = Object.values(packages)
      .flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
      .filter((name) => !places.some((place) => place.endsWith(`node_modules/${name}`)));
    expect(places.length).toBeGreaterThan(100);
    expect(missing).toEqual([]);
  });

  // Without it, npm accepts whatever the registry has under that version on that day.
  it('has a strong hash of every package, even of those for other systems', async () => {
    const { '': _root, ...packages } = await readLock();
    const unproven = Object.entries(packages)
      .filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
      .map(([place]) => place);
    expect(unproven).toEqual([]);
  });

  it('matches the bill of materials, with every hash', async () => {
    const { stdout } = await run('npm', ['run', '--silent', 'sbom'], { maxBuffer: 1e8 });
    const { components } = JSON.parse(stdout) as {
      components: readonly { name: string; hashes?: readonly object[] }[];
    };
    const listed = new Set(components.map(({ name }) => name));
    expect(['hono', 'react', 'pubnub', 'vite'].filter((name) => !listed.has(name))).toEqual([]);
    expect(components.filter(({ hashes = [] }) => hashes.length === 0)).toEqual([]);
  });

  it('pins exact versions and contains no download address', async () => {
    const { '': root, ...packages } = await readLock();
    const ranges = Object.values({ ...root?.dependencies, ...root?.devDependencies }).filter(
      (range) => !/^\d/.test(range),
    );
    expect(ranges).toEqual([]);
    expect(Object.values(packages).filter((entry) => entry.resolved !== undefined)).toEqual([]);
  });
});
