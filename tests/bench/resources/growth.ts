import type { Bench } from '../bench.ts';
import { type Desk, waitUntilQuiet } from '../world/desk.ts';
import type { World } from '../world/world.ts';
import { switchRooms } from '../page/room-switch.ts';
import { timeSends } from '../page/send.ts';
import { startBoth } from '../page/warm-start.ts';
import { measureRoomHeap } from './heap.ts';

const SMALL = 10_000;

const measure = async (desk: Desk, { samples }: World) => {
  await desk.setOffline(true);
  const start = await startBoth(desk, samples);
  await desk.setOffline(false);
  const switches = await switchRooms(desk, samples);
  const sends = await desk.inTab(async (page) => {
    await page.goto(`${desk.server.address()}/chat/c_093/producers`);
    await page.locator('[data-message-id]').first().waitFor();
    await waitUntilQuiet(page);
    return timeSends(page, samples, 'Growth');
  });
  const heaps: number[] = [];
  for (let n = 0; n < samples; n += 1) heaps.push(await measureRoomHeap(desk));
  return { start: start.measured, switches: switches.first, sends, heaps };
};

/** F15: the same actions with few and with many stored messages. */
export const growth: Bench = {
  name: 'growth',
  run: async (world) => {
    const small = await measure(await world.desk({ messages: SMALL }), world);
    const large = await measure(await world.desk(), world);
    const sizes = `${world.messages.toLocaleString('en')}; floor: ${SMALL.toLocaleString('en')}`;
    const goal = { id: 'F15', target: 1.3, stretch: 1.1 };
    const common = { ...goal, unit: 'ms' } as const;
    return [
      { ...common, what: `start with ${sizes}`, measured: large.start, floor: small.start },
      { ...common, what: `switch with ${sizes}`, measured: large.switches, floor: small.switches },
      { ...common, what: `Enter with ${sizes}`, measured: large.sends, floor: small.sends },
      {
        ...goal,
        unit: 'MB',
        what: `heap with ${sizes}`,
        measured: large.heaps,
        floor: small.heaps,
      },
    ];
  },
};
