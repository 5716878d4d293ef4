import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import type { Bench } from './bench.ts';
import { ENGINE_BENCHES } from './engine/benches.ts';
import { type Summary, summarize } from './figure.ts';
import { burst } from './page/burst.ts';
import { clients } from './page/clients.ts';
import { dashboard } from './page/dashboard.ts';
import { delivery } from './page/delivery.ts';
import { drain } from './page/drain.ts';
import { append } from './store/append.ts';
import { firstLoad } from './page/first-load.ts';
import { growth } from './resources/growth.ts';
import { heap } from './resources/heap.ts';
import { idle } from './resources/idle.ts';
import { longRoom } from './page/long-room.ts';
import { longThread } from './page/long-thread.ts';
import { longUse } from './resources/long-use.ts';
import { missed } from './page/missed.ts';
import { own } from './store/own.ts';
import { prepend } from './page/prepend.ts';
import { roomSwitch } from './page/room-switch.ts';
import { search } from './page/search.ts';
import { send } from './page/send.ts';
import { tabs } from './resources/tabs.ts';
import { warmStart } from './page/warm-start.ts';
import { toMarkdown, toTable } from './table.ts';
import { readCommit } from './world/product.ts';
import { createWorld } from './world/world.ts';

/**
 * `npm run bench [-- name …] [options]`: measures, prints a table and writes bench-results.json.
 * Fails if a bench cannot measure or a target is missed. The figures depend on the machine: run it
 * on an idle one.
 */

const USAGE = `npm run bench [-- name …] [options]
  --product <folder>   measure another checkout, with its node_modules
  --samples <n>        samples of each figure (9)
  --messages <n>       messages in the browser's store (100000)
  --throttle <n>       slow the page's processor down (1)
  --quick              fewer rounds of the engine
  --out <file>         where to write the results (bench-results.json)
  --print <file>       print results as Markdown instead of measuring
  --before <file>      earlier results beside them`;

/** All benches, by the names of their groups; the name of a group selects all of its benches. */
const GROUPS: Readonly<Record<string, readonly Bench[]>> = {
  page: [
    append,
    own,
    firstLoad,
    warmStart,
    roomSwitch,
    send,
    burst,
    missed,
    drain,
    delivery,
    clients,
    search,
    dashboard,
    prepend,
    longRoom,
    longThread,
    heap,
    tabs,
    growth,
    idle,
    // Its messages would be pruned while the others measure.
    longUse,
  ],
  engine: ENGINE_BENCHES,
};
const BENCHES = Object.values(GROUPS).flat();

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    product: { type: 'string', default: '.' },
    samples: { type: 'string', default: '9' },
    messages: { type: 'string', default: '100000' },
    throttle: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    out: { type: 'string', default: 'bench-results.json' },
    print: { type: 'string' },
    before: { type: 'string' },
  },
});

interface Results {
  readonly figures: readonly Summary[];
}

const readFigures = (file: string | undefined): readonly Summary[] =>
  file === undefined ? [] : (JSON.parse(readFileSync(file, 'utf8')) as Results).figures;

interface Outcome {
  readonly figures: readonly Summary[];
  /** Names of the benches that could not measure. */
  readonly failed: readonly string[];
}

const writeResults = (product: string, ms: number, outcome: Outcome): void => {
  const { product: _folder, out, print: _print, before: _before, ...options } = values;
  const results = {
    commit: readCommit(product),
    at: new Date().toISOString(),
    seconds: Math.round(ms / 1000),
    node: process.version,
    processor: `${cpus().length} x ${cpus()[0]?.model ?? ''}`,
    options,
    ...outcome,
  };
  writeFileSync(out, `${JSON.stringify(results, undefined, 2)}\n`);
};

/**
 * Runs the benches one after the other; a failed one does not stop the others. Writes the results
 * after each, so that an interrupted run leaves the results so far.
 */
const runAll = async (benches: readonly Bench[], product: string): Promise<Outcome> => {
  const world = createWorld({
    product,
    samples: Number(values.samples),
    messages: Number(values.messages),
    throttle: Number(values.throttle),
    isQuick: values.quick,
  });
  const figures: Summary[] = [];
  const failed: string[] = [];
  const began = performance.now();
  for (const bench of benches) {
    const { name } = bench;
    const from = performance.now();
    try {
      figures.push(...(await bench.run(world)).map(summarize));
    } catch (error) {
      failed.push(name);
      console.error(`${name} failed:`, error);
    }
    console.error(`${name}: ${((performance.now() - from) / 1000).toFixed(0)} s`);
    writeResults(product, performance.now() - began, { figures, failed });
  }
  await world.dispose();
  return { figures, failed };
};

const run = async (): Promise<number> => {
  if (values.print !== undefined) {
    console.log(toMarkdown(readFigures(values.print), readFigures(values.before)));
    return 0;
  }
  const isNamed = (name: string): boolean => BENCHES.some((bench) => bench.name === name);
  const unknown = names.find((name) => GROUPS[name] === undefined && !isNamed(name));
  if (unknown !== undefined) {
    const known = [...Object.keys(GROUPS), ...BENCHES.map(({ name }) => name)].join(', ');
    console.error(`No bench is called ${unknown}; there are: ${known}\n\n${USAGE}`);
    return 2;
  }
  const product = resolve(values.product);
  const wanted = new Set(names.flatMap((name) => GROUPS[name]?.map((bench) => bench.name) ?? name));
  const chosen = BENCHES.filter(({ name }) => names.length === 0 || wanted.has(name));
  const { figures, failed } = await runAll(chosen, product);
  console.log(toTable(figures));
  const missed = figures.filter(({ verdict }) => verdict === 'missed').length;
  console.log(`${missed} of ${figures.length} missed, ${failed.length} benches failed.`);
  return missed + failed.length > 0 ? 1 : 0;
};

process.exit(await run());
