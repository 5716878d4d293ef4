import type { Page, Request } from 'playwright-core';
import { v7 } from 'uuid';

import type { Fact } from '#domain/events.ts';
import { CHANNEL_TEMPLATE_DEFAULT, type RoomKey, toChannel, toRoomKey } from '#domain/rooms.ts';
import { toPayload } from '#domain/schemas/message.ts';
import { PRODUCER } from '#tests/support/browser/user.ts';
import { waitFor } from '#tests/support/wait-for.ts';

import type { Bench } from '../bench.ts';
import { appendFacts, openAppendPage } from '../world/append-page.ts';
import { type Desk, toPlainPage, waitUntilQuiet } from '../world/desk.ts';
import { toWrittenIds } from '../world/messages.ts';

const COUNT = 300;
const ROOMS = 10;
/** The engine accepts 1,000 messages of a user in a minute. */
const SAMPLES_MAX = 3;
const PATH = '/api/realtime/publish';

/** The messages of one sample: the rooms take turns. */
const toMessages = (label: string) => {
  const rooms = toWrittenIds(ROOMS).map((id): RoomKey => toRoomKey(id, 'producers'));
  return Array.from({ length: COUNT }, (_, n) => ({
    id: v7(),
    room: rooms[n % ROOMS] ?? 'c_001/team',
    text: `${label} no. ${n}: the ball is in play.`,
  }));
};

/** From the first request to the last answer, ms; fails unless every message was accepted once. */
const timeRequests = async (requests: readonly Request[]): Promise<number> => {
  const answers = await Promise.all(requests.map((request) => request.response()));
  const accepted = answers.filter((answer) => answer?.ok() === true).length;
  if (requests.length !== COUNT || accepted !== COUNT) {
    throw new Error(`${accepted} of ${requests.length} publishes were accepted`);
  }
  const times = requests.map((request) => request.timing());
  const ends = times.map(({ startTime, responseEnd }) => startTime + responseEnd);
  return Math.max(...ends) - Math.min(...times.map(({ startTime }) => startTime));
};

/** Publishes that a page makes from now on. */
const watchPublishes = (page: Page): readonly Request[] => {
  const ended: Request[] = [];
  page.on('requestfinished', (request) => {
    if (request.url().endsWith(PATH)) ended.push(request);
  });
  return ended;
};

/** A page that opened offline with a full outbox, until the engine has every message. */
const timeDrain = (desk: Desk, product: string, label: string): Promise<number> =>
  desk.inTab(async (page) => {
    const at = Date.now();
    const facts = toMessages(label).map(({ id, room, text }): Fact => {
      return { type: 'v1.MessageQueued', id, room, text, uid: PRODUCER.uid, at };
    });
    await openAppendPage(page, product, toPlainPage(desk.server));
    await appendFacts(page, facts);
    await desk.setOffline(true);
    try {
      await page.goto(`${desk.server.address()}/chat/c_001/team`);
      await page.locator('[data-message-id]').first().waitFor();
      await waitUntilQuiet(page);
      const ended = watchPublishes(page);
      await desk.setOffline(false);
      await waitFor('the outbox to be empty', () => ended.length >= COUNT);
      await waitUntilQuiet(page);
      return await timeRequests(ended);
    } finally {
      await desk.setOffline(false);
    }
  });

/** The same requests in the same order, by a page without scripts of its own. */
const timeFetches = (desk: Desk, label: string): Promise<number> =>
  desk.inTab(async (page) => {
    await page.goto(toPlainPage(desk.server));
    const ended = watchPublishes(page);
    const bodies = toMessages(label).map(({ id, room, text }) =>
      JSON.stringify({
        channel: toChannel(CHANNEL_TEMPLATE_DEFAULT, room),
        message: toPayload(id, text),
      }),
    );
    const queues = Array.from({ length: ROOMS }, (_, room) =>
      bodies.filter((_, n) => n % ROOMS === room),
    );
    await page.evaluate(
      async ({ queues, path, token }) => {
        const drain = async (queue: readonly string[]): Promise<void> => {
          for (const body of queue) {
            const headers = {
              authorization: `Bearer ${token}`,
              'content-type': 'application/json',
            };
            await (await fetch(path, { method: 'POST', headers, body })).text();
          }
        };
        await Promise.all(queues.map(drain));
      },
      { queues, path: PATH, token: desk.server.tokens()[0] },
    );
    await waitFor('every answer', () => ended.length >= COUNT);
    return timeRequests(ended);
  });

/** F11: from the first to the last publish of a full outbox, once the network has returned. */
export const drain: Bench = {
  name: 'drain',
  run: async (world) => {
    const desk = await world.desk();
    const [measured, floor]: [number[], number[]] = [[], []];
    for (let n = 0; n < Math.min(world.samples, SAMPLES_MAX); n += 1) {
      floor.push(await timeFetches(desk, `Bare ${n}`));
      measured.push(await timeDrain(desk, world.product, `Queued ${n}`));
    }
    return [
      {
        id: 'F11',
        what: `outbox of ${COUNT} in ${ROOMS} rooms, sent`,
        unit: 'ms',
        measured,
        floor,
        target: 2,
        stretch: 1.5,
      },
    ];
  },
};
