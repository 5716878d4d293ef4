import { toLeavingText, toUnsentText } from '#src/shell/sign-out/text.ts';
import { expect, it } from 'vitest';

it('the text names what is unsent, and distinguishes drafts from messages that can be kept', () => {
  expect(toUnsentText({ queued: 2, failed: 1, marks: false, drafts: true })).toBe(
    "2 messages are still waiting to be sent. 1 message couldn't be sent. Drafts can't be kept: they will be lost.",
  );
  expect(toUnsentText({ queued: 0, failed: 0, marks: false, drafts: true })).toBe(
    "Drafts can't be kept: they will be lost.",
  );
  expect(toUnsentText({ queued: 0, failed: 0, marks: true, drafts: false })).toBe(
    'Changes such as “Done” and reminders are stored only on this device: signing out deletes them.',
  );
});

it('sending before a sign-out explains the delay, and names offline only if that is the reason', () => {
  expect(toLeavingText({ kind: 'online', cause: undefined }, 1)).toBe(
    "Sending 1 message… You'll be signed out afterwards.",
  );
  expect(toLeavingText({ kind: 'online', cause: undefined }, 2)).toBe(
    "Sending 2 messages… You'll be signed out afterwards.",
  );
  expect(toLeavingText({ kind: 'offline', cause: undefined }, 1)).toMatch(/^You're offline\./);
  expect(toLeavingText({ kind: 'blocked', cause: undefined }, 1)).toMatch(
    /^The server isn't accepting messages right now\./,
  );
  for (const kind of ['connecting', 'waiting'] as const) {
    expect(toLeavingText({ kind, cause: undefined }, 1)).toMatch(/^Can't reach the server\./);
  }
  expect(toLeavingText({ kind: 'waiting', cause: 'upstream' }, 1)).toMatch(
    /^A service that Replay Desk depends on is unavailable\./,
  );
});
