import type { Bench } from '../bench.ts';
import { CHUNK } from '../world/append-page.ts';
import { sumBytes } from '../world/store-bytes.ts';

/** Chunks before the first sample: tables and code are cold. */
const WARM_UP = 4;

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** F10: the cost of appending facts, in time and on disk. */
export const append: Bench = {
  name: 'append',
  run: async (world) => {
    const { filled, bytes, messages } = await world.desk();
    const count = messages.length;
    const [measured, floor] = [filled.product.slice(WARM_UP), filled.floor.slice(WARM_UP)];
    const what = `${count.toLocaleString('en')} messages`;
    return [
      {
        id: 'F10',
        what: `append of ${CHUNK} facts`,
        unit: 'ms',
        measured,
        floor,
        target: 2,
        stretch: 1.5,
      },
      {
        id: 'F10',
        what: `append of ${what}`,
        unit: 's',
        measured: [sum(filled.product) / 1000],
        floor: [sum(filled.floor) / 1000],
      },
      {
        id: 'F10',
        what: 'bytes of a message on disk',
        unit: 'B',
        measured: [sumBytes(bytes.product) / count],
        floor: [sumBytes(bytes.floor) / count],
        limits: 'value',
        target: 300,
        stretch: 200,
      },
      {
        id: 'F10',
        what: 'bytes of a message on disk: in the journal',
        unit: 'B',
        measured: [bytes.product.journal / count],
        floor: [bytes.floor.journal / count],
      },
    ];
  },
};
