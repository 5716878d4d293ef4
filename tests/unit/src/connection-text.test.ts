import { toConnectionLine } from '#src/status/connection-text.ts';
import { describe, expect, it } from 'vitest';

const at = { queued: 1, now: 1000 };
const LINK = { retryAt: undefined, cause: undefined };

describe('the connection line', () => {
  it('does not report online while sending fails', () => {
    const line = toConnectionLine({ ...LINK, kind: 'blocked' }, at);
    expect(line).toMatchObject({ state: 'reconnecting', label: 'Reconnecting' });
    expect(line).toMatchObject({ text: "Your message can't be sent right now." });
  });

  it.each(['connecting', 'waiting'] as const)('names what is down while %s', (kind) => {
    expect(toConnectionLine({ ...LINK, kind }, at)).toMatchObject({
      text: "Can't reach the server.",
    });
    expect(toConnectionLine({ ...LINK, kind, cause: 'upstream' }, at)).toMatchObject({
      text: 'A service that Replay Desk depends on is unavailable.',
    });
  });

  it('names another tab that blocks the storage, and what to do', () => {
    expect(toConnectionLine({ ...LINK, kind: 'unresponsive' }, at)).toEqual({
      state: 'held',
      label: 'Reconnecting',
      text: "Another Replay Desk tab isn't responding. Close it to continue.",
    });
  });

  it.each([
    [1000, 1],
    [1001, 1],
    [2001, 2],
    [9000, 8],
  ])('counts down the time until %i as %i s', (retryAt, seconds) => {
    expect(toConnectionLine({ ...LINK, kind: 'waiting', retryAt }, at)).toMatchObject({ seconds });
  });

  it.each([
    [0, ''],
    [1, 'Sending 1 message…'],
    [2, 'Sending 2 messages…'],
  ])('reports sending with %i queued', (queued, text) => {
    const line = toConnectionLine({ ...LINK, kind: 'online' }, { queued, now: 0 });
    expect(line).toMatchObject({ label: 'Online', text });
  });
});
