import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Embedded, openEmbedded } from '#server/embedded/open.ts';

/** A data folder for one test. */
export const makeDataDir = (): string => mkdtempSync(join(tmpdir(), 'replay-desk-'));
export const removeDataDir = (dataDir: string): void =>
  rmSync(dataDir, { recursive: true, force: true });

/** The embedded data, without a server. */
export const mustOpen = async (dataDir: string, seedDemo = false): Promise<Embedded> => {
  const opened = await openEmbedded(dataDir, { seedDemo });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
};
