import type { EventObject } from 'xstate';

/** A connection in this state, as its leader sees it. */
export const connectionSnapshot = (at: unknown): EventObject =>
  ({
    type: 'xstate.snapshot.connection',
    snapshot: {
      context: { retryAt: 0 },
      matches: (value: unknown) => JSON.stringify(value) === JSON.stringify(at),
    },
  }) as EventObject;

/** An outbox whose sending is blocked in these rooms, as its leader sees it. */
export const outboxSnapshot = (blockedRooms: readonly string[]): EventObject =>
  ({
    type: 'xstate.snapshot.outbox',
    snapshot: { context: { blockedRooms: new Set(blockedRooms) } },
  }) as EventObject;

/** A room's sender that waits after a failed attempt, as its outbox sees it. */
export const senderSnapshot = (room: string): EventObject =>
  ({
    type: `xstate.snapshot.${room}`,
    snapshot: { context: { room, item: undefined, blocked: true }, matches: () => false },
  }) as EventObject;
