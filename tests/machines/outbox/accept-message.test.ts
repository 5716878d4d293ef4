import { toRoomKey } from '#domain/rooms.ts';
import { acceptMessage, discardMessage } from '#machines/outbox/commands.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { describe, expect, it } from 'vitest';

const TEAM = toRoomKey('c_001', 'team');

const start = () => {
  const world = new MemoryWorld();
  return { world, tab: world.openTab(), store: openMemoryStore(world.database()) };
};

describe('accepting a message', () => {
  it('resolves with the id after the commit', async () => {
    const { tab, store, world } = start();
    const accepted = await acceptMessage(tab, store, 'u_me', TEAM, 'hello');
    expect(accepted).toEqual({ ok: true, value: world.database().items[0]?.id });
  });

  it.each([
    ['exactly the limit', 0, true],
    ['one byte more', 1, false],
  ])('measures the message as published: %s', async (_what, over, ok) => {
    const { tab, store } = start();
    const envelope = { text: '', clientName: 'Replay Desk', clientAvatar: '', id: 'id-0001' };
    const bytes = new TextEncoder().encode(JSON.stringify(envelope)).length;
    const text = 'x'.repeat(32_768 - bytes + over);
    expect((await acceptMessage(tab, store, 'u_me', TEAM, text)).ok).toBe(ok);
  });

  it('refuses what is too large before it is stored', async () => {
    const { tab, store, world } = start();
    const refused = await acceptMessage(tab, store, 'u_me', TEAM, 'x'.repeat(32_768));
    expect(refused).toMatchObject({ ok: false, error: { kind: 'too-large', limit: 32_768 } });
    expect(world.database().facts).toEqual([]);
  });

  it('answers with the storage error and stores nothing when the disk is full', async () => {
    const { tab, store, world } = start();
    world.database().failure = { kind: 'quota' };
    const refused = await acceptMessage(tab, store, 'u_me', TEAM, 'hello');
    expect(refused).toEqual({ ok: false, error: { kind: 'quota' } });
  });

  it('makes the text well formed', async () => {
    const { tab, store, world } = start();
    await acceptMessage(tab, store, 'u_me', TEAM, 'lone \ud800 half');
    expect(world.database().items[0]?.text).toBe('lone \ufffd half');
  });

  it('is undone by deleting it while it waits', async () => {
    const { tab, store, world } = start();
    const accepted = await acceptMessage(tab, store, 'u_me', TEAM, 'hello');
    const discarded = await discardMessage(tab, store, accepted.ok ? accepted.value : '');
    expect(discarded).toEqual({ ok: true, value: undefined });
    expect(world.database().items).toEqual([]);
  });
});
