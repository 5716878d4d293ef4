import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { type FaultScene, onceEach, openScene } from '#tests/support/scenes/fault-scene.ts';

const PUBLISH = /^\/api\/realtime\/publish/;
const EVERYTHING = /^\/api\//;

let scene: FaultScene;

beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.dispose());
beforeEach(() => scene.backend.proxy.heal());

test('messages are published once although answers are lost, with a reload in between', async () => {
  const { backend, room, stateOf, user } = scene;
  const texts = ['lost answer 1', 'lost answer 2', 'lost answer 3'];
  // The stream would deliver the data of the lost answers.
  backend.proxy.break(/^\/api\/realtime\/stream/, { kind: 'refuse' });
  backend.proxy.freezeStreams();
  backend.proxy.break(PUBLISH, { kind: 'swallow' });
  for (const text of texts) await room().send(text);
  await expect.poll(() => backend.readLog('chat.c_003.general')).toContain(texts[0]);
  expect(await stateOf(texts[0]!)).not.toBe('sent');
  await user.page().reload();
  await room().message(texts[2]!).waitFor();
  await expect.poll(() => stateOf(texts[2]!)).toBe('queued');
  await expect.poll(scene.status).toMatch(/^Reconnecting/);
  backend.proxy.heal();
  for (const text of texts) await scene.expectSent(text);
  expect(await scene.findEverywhere(texts)).toEqual(onceEach(texts));
  await expect.poll(scene.status).toMatch(/^(Online)?$/);
});

test('messages appear once although publishes arrive twice', async () => {
  const texts = ['twice 1', 'twice 2', 'twice 3'];
  scene.backend.proxy.break(PUBLISH, { kind: 'duplicate' });
  for (const text of texts) await scene.room().send(text);
  for (const text of texts) await scene.expectSent(text);
  expect(await scene.findEverywhere(texts)).toEqual(onceEach(texts));
});

test.each([
  ['403', { kind: 'status', status: 403 }],
  ['404, as during a deploy,', { kind: 'status', status: 404 }],
  ['503', { kind: 'status', status: 503 }],
  ['a portal page', { kind: 'portal' }],
] as const)(
  'messages are sent although token requests fail with %s for a while',
  async (what, fault) => {
    const { backend, room, stateOf, user } = scene;
    const text = `without a token: ${what}`;
    backend.proxy.break(/^\/api\/realtime\/token/, fault);
    // A new page has no token yet.
    await user.page().reload();
    await room().send(text);
    await expect.poll(scene.status).toMatch(/^Reconnecting/);
    const asked = () =>
      backend.proxy.requests.filter(({ path }) => path.startsWith('/api/realtime/token')).length;
    const before = asked();
    await expect.poll(asked).toBeGreaterThan(before + 3);
    expect(['queued', 'sending']).toContain(await stateOf(text));
    backend.proxy.heal();
    await scene.expectSent(text);
    expect(await scene.findEverywhere([text])).toEqual(onceEach([text]));
    await expect.poll(scene.status).toMatch(/^(Online)?$/);
  },
);

test('only publishes are refused: the page reports it, and the messages are sent afterwards', async () => {
  const { backend, room, stateOf } = scene;
  backend.proxy.break(PUBLISH, { kind: 'status', status: 503 });
  await room().send('held up');
  await expect.poll(scene.status).toContain("Your message can't be sent right now.");
  expect(await stateOf('held up')).not.toBe('failed');
  backend.proxy.heal();
  await scene.expectSent('held up');
  await expect.poll(scene.status).toMatch(/^(Online)?$/);
});

test('a captive portal answers everything with its page', async () => {
  const { backend, room, stateOf, user } = scene;
  backend.proxy.break(EVERYTHING, { kind: 'portal' });
  await user.page().reload();
  await room().send('behind the portal');
  await expect.poll(scene.status).toMatch(/^Reconnecting/);
  await expect.poll(() => stateOf('behind the portal')).toBe('queued');
  expect(user.path()).toBe('/chat/c_003/general');
  backend.proxy.heal();
  await scene.expectSent('behind the portal');
  await expect.poll(scene.status).toMatch(/^(Online)?$/);
});
