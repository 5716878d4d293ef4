import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { measureDelivery, measureIdle, measureThroughput } from './engine-delivery.ts';
import { measureBacklog, measureDurability, measureIdempotence } from './engine-durability.ts';
import { measureHostility } from './engine-hostile.ts';
import { type Figure, holdsFloor, toTable } from './figure.ts';

/**
 * `npm run bench -- engine [--only E1,E3] [--quick]`: measures the promises, prints a table,
 * writes bench-results.json and fails if a floor is missed. The figures depend on the machine: run
 * it on an idle one.
 */

type Measure = (isQuick: boolean) => Promise<readonly Figure[]>;

const SUITES: Readonly<Record<string, Readonly<Record<string, Measure>>>> = {
  engine: {
    E1: measureDelivery,
    E2: measureIdle,
    E3: measureDurability,
    E4: measureThroughput,
    E5: measureBacklog,
    E6: measureIdempotence,
    E7: measureHostility,
  },
};

const RESULTS = 'bench-results.json';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } },
});

const wanted = positionals.length > 0 ? positionals : Object.keys(SUITES);
const unknown = wanted.find((suite) => SUITES[suite] === undefined);
const rows = values.only?.split(',');
if (unknown !== undefined) {
  console.error(`No suite is called ${unknown}; there is: ${Object.keys(SUITES).join(', ')}`);
  process.exit(2);
}

const figures: Figure[] = [];
for (const [id, measure] of wanted.flatMap((suite) => Object.entries(SUITES[suite]!))) {
  if (rows !== undefined && !rows.includes(id)) continue;
  console.error(`measuring ${id}…`);
  figures.push(...(await measure(values.quick)));
}
console.log(toTable(figures));
writeFileSync(RESULTS, `${JSON.stringify(figures, undefined, 2)}\n`);
const missed = figures.filter((figure) => !holdsFloor(figure));
console.log(missed.length === 0 ? 'All floors hold.' : `${missed.length} missed.`);
process.exit(missed.length === 0 ? 0 : 1);
