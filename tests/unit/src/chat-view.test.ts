import { parseChatPlace } from '#domain/routes.ts';
import { toChatView } from '#src/chat/room/chat-view.ts';
import { expect, test } from 'vitest';

const KNOWN = { known: true, found: true, fresh: true, failed: false };
const place = (clientId: string, roomId: string) => parseChatPlace({ clientId, roomId });

test.each([
  ['a room that no client has', place('c_001', 'lobby'), KNOWN, 'unknown-room'],
  [
    'a client that nobody has',
    place('c_999', 'lobby'),
    { ...KNOWN, found: false },
    'unknown-client',
  ],
  ['no client at all', place('a b', 'team'), { ...KNOWN, found: false }, 'unknown-client'],
  [
    'a client while the list is being fetched',
    place('c_999', 'lobby'),
    { ...KNOWN, found: false, fresh: false },
    'waiting',
  ],
  [
    'any client while the list cannot be fetched',
    place('c_999', 'lobby'),
    { known: false, found: false, fresh: false, failed: true },
    'unreachable',
  ],
])('the view of %s', (_what, at, clients, kind) => {
  expect(toChatView(at, clients).kind).toBe(kind);
});
