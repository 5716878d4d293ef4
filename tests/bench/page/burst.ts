import { setTimeout as pause } from 'node:timers/promises';

import type { Page } from 'playwright-core';

import {
  CHANNEL_TEMPLATE_DEFAULT,
  type RoomId,
  type RoomKey,
  toChannel,
  toRoomKey,
} from '#domain/rooms.ts';
import { toRoomPage } from '#tests/support/page/room.ts';

import type { Bench } from '../bench.ts';
import { openPublisher, type Publisher } from '../engine/load.ts';
import type { Figure } from '../figure.ts';
import { type Desk, waitUntilQuiet } from '../world/desk.ts';
import { toWrittenIds } from '../world/messages.ts';
import { inThread, readLongestTask, timeAfter, watchTasks } from '../world/painted.ts';
import { timePuts } from './send.ts';

const SIZE = 1000;
const SENDERS = 50;
const PER_SECOND = 500;

/** Opens connections that publish as this many users. */
export const openSenders = (desk: Desk, count: number): Promise<readonly Publisher[]> =>
  Promise.all(
    Array.from({ length: count }, () => openPublisher(desk.server.port(), desk.server.tokens())),
  );

const mustPublish = async (
  sender: Publisher | undefined,
  room: RoomKey,
  text: string,
): Promise<void> => {
  if ((await sender?.publish(toChannel(CHANNEL_TEMPLATE_DEFAULT, room), text)) === undefined) {
    throw new Error(`"${text}" was not published`);
  }
};

/** Publishes all but the last at once, then the last, so that it is the newest. */
export const publishAll = async (
  senders: readonly Publisher[],
  room: RoomKey,
  texts: readonly string[],
): Promise<void> => {
  const others = texts.slice(0, -1);
  await Promise.all(others.map((text, n) => mustPublish(senders[n % senders.length], room, text)));
  await mustPublish(senders[0], room, texts.at(-1) ?? '');
};

/** Publishes at a steady rate, in order. */
const publishSteadily = async (
  senders: readonly Publisher[],
  room: RoomKey,
  texts: readonly string[],
): Promise<void> => {
  const from = performance.now();
  const sent: Promise<void>[] = [];
  for (const [n, text] of texts.entries()) {
    const early = from + (n * 1000) / PER_SECOND - performance.now();
    if (early > 0) await pause(early);
    // The last one after the others, so that it is the newest.
    if (n === texts.length - 1) await Promise.all(sent);
    const publish = mustPublish(senders[n % senders.length], room, text);
    // Its failure is reported at the end.
    publish.catch(() => undefined);
    sent.push(publish);
  }
  await Promise.all(sent);
};

export const toTexts = (label: string): readonly string[] =>
  Array.from({ length: SIZE }, (_, n) => `${label} no. ${n} of ${SIZE}: the ball is in play.`);

/** Fails unless the page can show all of the messages. */
export const mustHoldAll = async (page: Page, texts: readonly string[]): Promise<void> => {
  const shown = (await toRoomPage(page).readAll()).map(({ text }) => text).join('\n');
  const missing = texts.filter((text) => !shown.includes(text));
  if (missing.length > 0) throw new Error(`${missing.length} messages are missing: ${missing[0]}`);
};

/** A bulk write of the same number of bare rows and one whole frame, ms. */
const timeBulkWrites = (desk: Desk, samples: number): Promise<readonly number[]> =>
  desk.inTab(async (page) => {
    await page.goto(desk.floor.address);
    const times: number[] = [];
    for (let n = 0; n < samples; n += 1) {
      const rows = toTexts(`bulk ${n}`).map((text, i) => ({
        room: 'c_000/bulk',
        timetoken: String(n * SIZE + i).padStart(17, '0'),
        id: `bulk-${n}-${i}`,
        text,
      }));
      times.push(
        await page.evaluate(async (rows) => {
          const floor = globalThis.benchFloor;
          if (floor === undefined) throw new Error('this is not the page of the floor');
          return (await floor.write(rows)) + (await floor.frame());
        }, rows),
      );
    }
    return times;
  });

/** How the messages of one sample are published, and when its time starts. */
interface Load {
  readonly label: string;
  /** The room of each sample's own client. */
  readonly roomId: RoomId;
  readonly publish: typeof publishAll;
  readonly from: 'start' | 'end';
}

/**
 * Opens a room per sample and publishes into it; returns the time to the newest message, painted,
 * and the longest task, ms.
 */
const timeLoads = async (desk: Desk, samples: number, load: Load) => {
  const [times, tasks]: [number[], number[]] = [[], []];
  for (const [n, id] of toWrittenIds(samples).entries()) {
    const texts = toTexts(`${load.label} ${n}`);
    await desk.inTab(async (page) => {
      const room = toRoomKey(id, load.roomId);
      await page.goto(`${desk.server.address()}/chat/${room}`);
      await page.locator('[data-message-id]').first().waitFor();
      await waitUntilQuiet(page);
      await watchTasks(page);
      // The server closes connections that are idle.
      const senders = await openSenders(desk, SENDERS);
      const newest = inThread(texts.at(-1) ?? '');
      const act = (): Promise<void> => load.publish(senders, room, texts);
      times.push(await timeAfter(page, newest, act, load.from));
      for (const sender of senders) sender.close();
      await waitUntilQuiet(page);
      tasks.push(await readLongestTask(page));
      await mustHoldAll(page, texts);
    });
  }
  return { times, tasks };
};

/** F5: 1,000 messages arrive in an open room, at once and at 500 a second. */
export const burst: Bench = {
  name: 'burst',
  run: async (world) => {
    const desk = await world.desk();
    const writes = await timeBulkWrites(desk, world.samples);
    const puts = await timePuts(desk, world.samples);
    const bursts = await timeLoads(desk, world.samples, {
      label: 'Burst',
      roomId: 'team',
      publish: publishAll,
      from: 'start',
    });
    const drips = await timeLoads(desk, world.samples, {
      label: 'Steadily',
      roomId: 'general',
      publish: publishSteadily,
      from: 'end',
    });
    const what = `burst of ${SIZE.toLocaleString('en')}`;
    const figures: Figure[] = [
      {
        id: 'F5',
        what: `${what}: first published to newest painted`,
        unit: 'ms',
        measured: bursts.times,
        floor: writes,
        target: 4,
        stretch: 2,
      },
      { id: 'F5', what: `${what}: longest task`, unit: 'ms', measured: bursts.tasks, target: 50 },
      {
        id: 'F5',
        what: `${PER_SECOND}/s for 2 s: lag of the last`,
        unit: 'ms',
        measured: drips.times,
        floor: puts,
        target: 4,
        stretch: 2,
      },
    ];
    return figures;
  },
};
