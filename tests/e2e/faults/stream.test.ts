import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import {
  CHANNEL,
  type FaultScene,
  onceEach,
  openScene,
} from '#tests/support/scenes/fault-scene.ts';
import { freezePage } from '#tests/support/page/freeze.ts';
import { toRestingEnd } from '#tests/support/page/thread-end.ts';

const STREAM = /^\/api\/realtime\/stream/;
/** More than the backlog of a stream, and not a multiple of a page. */
const MISSED = 350;

let scene: FaultScene;

beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.dispose());
beforeEach(() => scene.backend.proxy.heal());

const toText = (round: string, n: number): string => `${round} ${String(n).padStart(3, '0')}.`;
const toTexts = (round: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => toText(round, n + 1));

test('the page recovers when an open stream becomes silent', async () => {
  const { backend, room } = scene;
  backend.proxy.freezeStreams();
  await backend.write(CHANNEL, ['said into silence']);
  await room().message('said into silence').waitFor();
  await expect.poll(scene.status).toMatch(/^(Online)?$/);
  await backend.write(CHANNEL, ['said after the silence']);
  await room().message('said after the silence').waitFor();
  expect(await scene.findEverywhere(['said into silence', 'said after the silence'])).toEqual(
    onceEach(['said into silence', 'said after the silence']),
  );
});

test('the page recovers when streams stall after their headers', async () => {
  const { backend, room, user } = scene;
  backend.proxy.break(STREAM, { kind: 'stall' }, 1);
  await user.page().reload();
  await room().composer.waitFor();
  await backend.write(CHANNEL, ['behind the headers']);
  await expect.poll(scene.status).toMatch(/^Reconnecting/);
  await room().message('behind the headers').waitFor();
  await expect.poll(scene.status).toMatch(/^(Online)?$/);
});

test('the page recovers when streams break in the middle of an event', async () => {
  const { backend, room, user } = scene;
  backend.proxy.break(STREAM, { kind: 'cut', bytes: 40 }, 3);
  await user.page().reload();
  await room().composer.waitFor();
  const texts = toTexts('cut', 20);
  await backend.write(CHANNEL, texts);
  await room().message(texts[19]!).waitFor();
  expect(await scene.findEverywhere(texts)).toEqual(onceEach(texts));
});

test('a gap of 350 messages shows as a line until it is filled, across a server restart', async () => {
  const { backend, room, user } = scene;
  await user.goOffline();
  const texts = toTexts('missed', MISSED);
  await backend.write(CHANNEL, texts);
  // The newest page arrives, but the stream does not.
  backend.proxy.break(STREAM, { kind: 'status', status: 503 });
  await user.goOnline();
  await user.page().evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await room()
    .message(texts[MISSED - 1]!)
    .waitFor();
  const gap = room().region.getByRole('note');
  await room().region.hover();
  await expect
    .poll(async () => {
      // Less than half of the visible part, and one step at a time, so that none scrolls past the
      // line.
      await user.page().mouse.wheel(0, -300);
      await toRestingEnd(room().region);
      return gap.count();
    })
    .toBeGreaterThan(0);
  await backend.server.kill();
  await expect.poll(() => gap.first().getAttribute('data-gap')).toBe('waiting');
  await backend.server.start();
  backend.proxy.heal();
  await expect.poll(() => gap.count()).toBe(0);
  expect(await scene.findEverywhere(texts)).toEqual(onceEach(texts));
});

test('a page frozen for five minutes catches up soon after it wakes', async () => {
  const { backend, room, user } = scene;
  const thaw = await freezePage(user.page());
  const texts = toTexts('asleep', 120);
  await backend.write(CHANNEL, texts);
  // The network of a sleeping device is gone, without an event for the page.
  backend.proxy.freezeStreams();
  await thaw();
  // The event that a page gets when its device wakes.
  await user.page().evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await room().message(texts[119]!).waitFor();
  expect(await scene.findEverywhere(texts)).toEqual(onceEach(texts));
});

test('a room that was never opened has messages from before and during an absence, without reading its history', async () => {
  const { backend, room, user } = scene;
  const channel = 'chat.c_012.producers';
  // The history of one room, and of many at once.
  backend.proxy.break(/\/realtime\/history(?:$|\?.*chat\.c_012\.producers)/, {
    kind: 'status',
    status: 503,
  });
  await backend.write(channel, ['before the absence']);
  await backend.write(CHANNEL, ['then here']);
  await room().message('then here').waitFor();
  await user.goOffline();
  const texts = toTexts('unseen', 120);
  await backend.write(channel, texts);
  await backend.write(CHANNEL, ['here again']);
  await user.goOnline();
  await room().message('here again').waitFor();
  await user.goOffline();
  await user.visit('/chat/c_012/producers');
  await room().message(texts[119]!).waitFor();
  const shown = async () => {
    const all = (await room().readAll()).map(({ text }) => text);
    return ['before the absence', ...texts].filter((one) => all.some((text) => text.includes(one)));
  };
  // By keyboard: the jump to the first unread message covers the button.
  while ((await shown()).length < texts.length + 1) await room().fetchMore.press('Enter');
  expect(await room().region.getByRole('note').count()).toBe(0);
  await user.goOnline();
});
