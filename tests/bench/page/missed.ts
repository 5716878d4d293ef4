import { toRoomKey } from '#domain/rooms.ts';

import type { Bench } from '../bench.ts';
import { waitUntilQuiet } from '../world/desk.ts';
import { toWrittenIds } from '../world/messages.ts';
import { inThread, timeStart } from '../world/painted.ts';
import { mustHoldAll, openSenders, publishAll, toTexts } from './burst.ts';

const SENDERS = 50;

/** F5: 1,000 messages arrived while no page was open. */
export const missed: Bench = {
  name: 'missed',
  run: async (world) => {
    const desk = await world.desk();
    const newest: number[] = [];
    for (const id of toWrittenIds(world.samples)) {
      const room = toRoomKey(id, 'producers');
      const texts = toTexts('Missed');
      const senders = await openSenders(desk, SENDERS);
      await publishAll(senders, room, texts);
      for (const sender of senders) sender.close();
      await desk.inTab(async (page) => {
        const last = inThread(texts.at(-1) ?? '');
        const address = `${desk.server.address()}/chat/${room}`;
        newest.push(await timeStart(page, address, last));
        await waitUntilQuiet(page);
        await mustHoldAll(page, texts);
      });
    }
    return [
      {
        id: 'F5',
        what: '1,000 missed: start to newest painted',
        unit: 'ms',
        measured: newest,
        target: 700,
      },
    ];
  },
};
