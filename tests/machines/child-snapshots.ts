import type { Timetoken } from '#domain/timetoken.ts';
import type { EventObject } from 'xstate';

/** A connection in this state as its leader hears of it. */
export const connectionSnapshot = (at: unknown, cursor?: Timetoken): EventObject =>
  ({
    type: 'xstate.snapshot.connection',
    snapshot: {
      context: { retryAt: 0, cursor },
      matches: (value: unknown) => JSON.stringify(value) === JSON.stringify(at),
    },
  }) as EventObject;

/** An outbox with these rooms held up as its leader hears of it. */
export const outboxSnapshot = (held: readonly string[]): EventObject =>
  ({
    type: 'xstate.snapshot.outbox',
    snapshot: { context: { held: new Set(held) } },
  }) as EventObject;
