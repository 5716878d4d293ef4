import { writeFile } from 'node:fs/promises';

import { findDiagram, renderDiagram } from './render-diagram.ts';
import { MACHINES } from './machine-list.ts';

/**
 * Writes the diagram of every machine next to its source:
 * `node tests/support/machines/write-diagrams.ts`.
 */
for (const [name, machine] of Object.entries(MACHINES)) {
  await writeFile(await findDiagram(name), renderDiagram(machine));
}
