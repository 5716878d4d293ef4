import { toRoomKey } from '#domain/rooms.ts';
import { createMessageCommands } from '#machines/outbox/commands.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { describe, expect, it } from 'vitest';

const TEAM = toRoomKey('c_001', 'team');

const start = () => {
  const world = new MemoryWorld();
  const store = openMemoryStore(world.database());
  const { sendTo, discard } = createMessageCommands(world.openTab(), store, 'u_me');
  return { world, send: sendTo(TEAM), discard };
};

describe('accepting a message', () => {
  it('resolves with the id after the commit', async () => {
    const { send, world } = start();
    const accepted = await send('hello');
    expect(accepted).toEqual({ ok: true, value: world.database().items[0]?.id });
  });

  it.each([
    ['exactly the limit', 0, true],
    ['one byte more', 1, false],
  ])('measures the message as it will be published: %s', async (_what, over, ok) => {
    const { send } = start();
    const envelope = { text: '', clientName: 'Replay Desk', clientAvatar: '', id: 'id-0001' };
    const bytes = new TextEncoder().encode(JSON.stringify(envelope)).length;
    const text = 'x'.repeat(32_768 - bytes + over);
    expect((await send(text)).ok).toBe(ok);
  });

  it('refuses an oversized message before it is stored', async () => {
    const { send, world } = start();
    const refused = await send('x'.repeat(32_768));
    expect(refused).toMatchObject({ ok: false, error: { kind: 'too-large', limit: 32_768 } });
    expect(world.database().facts).toEqual([]);
  });

  it('returns the storage error and stores nothing when the disk is full', async () => {
    const { send, world } = start();
    world.database().failure = { kind: 'quota' };
    const refused = await send('hello');
    expect(refused).toEqual({ ok: false, error: { kind: 'quota' } });
  });

  it('makes the text well formed', async () => {
    const { send, world } = start();
    await send('lone \ud800 half');
    expect(world.database().items[0]?.text).toBe('lone \ufffd half');
  });

  it('is undone by deleting the queued message', async () => {
    const { send, discard, world } = start();
    const accepted = await send('hello');
    const discarded = await discard(accepted.ok ? accepted.value : '');
    expect(discarded).toEqual({ ok: true, value: 1 });
    expect(world.database().items).toEqual([]);
  });
});
