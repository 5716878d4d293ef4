import { writeFile } from 'node:fs/promises';

import { drawMachine } from './draw-machine.ts';
import { MACHINES } from './machine-list.ts';

/** Draws every machine beside its source: `node tests/support/write-drawings.ts`. */
for (const [name, machine] of Object.entries(MACHINES)) {
  const file = new URL(`../../machines/${name}.machine.md`, import.meta.url);
  await writeFile(file, drawMachine(machine));
}
