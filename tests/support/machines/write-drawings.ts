import { writeFile } from 'node:fs/promises';

import { drawMachine, findDrawing } from './draw-machine.ts';
import { MACHINES } from './machine-list.ts';

/** Draws every machine next to its source: `node tests/support/machines/write-drawings.ts`. */
for (const [name, machine] of Object.entries(MACHINES)) {
  await writeFile(await findDrawing(name), drawMachine(machine));
}
