import type { Bench } from '../bench.ts';
import type { Desk } from '../world/desk.ts';
import { markOf } from '../world/messages.ts';
import { inThread, timeStart } from '../world/painted.ts';

/** The room whose stored thread is to be painted. */
const ROOM = 'c_007/general';

interface Starts {
  readonly ours: number[];
  readonly floor: number[];
}

/** Starts both sites in turn; the first pair only warms up. */
const startBoth = async (
  desk: Desk,
  samples: number,
  before?: () => Promise<void>,
): Promise<Starts> => {
  const newest = desk.newest.get(ROOM);
  if (newest === undefined) throw new Error(`${ROOM} has no messages`);
  const thread = inThread(markOf(newest));
  const start = async (address: string): Promise<number> => {
    await before?.();
    return desk.inTab((page) => timeStart(page, address, thread));
  };
  const starts: Starts = { ours: [], floor: [] };
  for (let n = 0; n <= samples; n += 1) {
    const floor = await start(`${desk.floor.address}/#${ROOM}`);
    const ours = await start(`${desk.server.address()}/chat/${ROOM}`);
    if (n === 0) continue;
    starts.floor.push(floor);
    starts.ours.push(ours);
  }
  return starts;
};

/** F2: from the navigation to the stored thread, painted. */
export const warmStart: Bench = {
  name: 'warm-start',
  run: async (world) => {
    const desk = await world.desk();
    const online = await startBoth(desk, world.samples);
    await desk.setOffline(true);
    const offline = await startBoth(desk, world.samples);
    const inNewProcess = await startBoth(desk, world.samples, async () => {
      await desk.reopen();
      await desk.setOffline(true);
    });
    await desk.setOffline(false);
    const common = { id: 'F2', unit: 'ms' };
    return [
      { ...common, what: 'warm start offline', ...offline, reach: 2.2, lead: 1.6 },
      {
        ...common,
        what: 'warm start offline, new process',
        ...inNewProcess,
        reach: 1.8,
        lead: 1.5,
      },
      { ...common, what: 'warm start online', ...online, reach: 2.2, lead: 1.6 },
    ];
  },
};
