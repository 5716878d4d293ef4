import type { Bench } from '../bench.ts';
import { CHUNK } from '../world/append-page.ts';
import { sumBytes } from '../world/store-bytes.ts';

/** Chunks before the first sample: tables and code are cold. */
const WARM_UP = 4;

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** F10: what it costs to append facts, in time and on disk. */
export const append: Bench = {
  name: 'append',
  run: async (world) => {
    const { filled, bytes, messages } = await world.desk();
    const count = messages.length;
    const [ours, floor] = [filled.ours.slice(WARM_UP), filled.floor.slice(WARM_UP)];
    const what = `${count.toLocaleString('en')} messages`;
    return [
      { id: 'F10', what: `append of ${CHUNK} facts`, unit: 'ms', ours, floor, reach: 2, lead: 1.5 },
      {
        id: 'F10',
        what: `append of ${what}`,
        unit: 's',
        ours: [sum(filled.ours) / 1000],
        floor: [sum(filled.floor) / 1000],
      },
      {
        id: 'F10',
        what: 'bytes of a message on disk',
        unit: 'B',
        ours: [sumBytes(bytes.ours) / count],
        floor: [sumBytes(bytes.floor) / count],
        limits: 'value',
        reach: 300,
        lead: 200,
      },
      {
        id: 'F10',
        what: 'bytes of a message on disk: in the journal',
        unit: 'B',
        ours: [bytes.ours.journal / count],
        floor: [bytes.floor.journal / count],
      },
    ];
  },
};
