import type { BrowserLink } from '#domain/link-status.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { SnapshotFrom } from 'xstate';

import type { OutboxMachine } from '../outbox/outbox.machine.ts';
import type { LeaderMachine } from './leader.machine.ts';

/** Selectors of what a tab shows of its leader, whose machines load later. */

const NONE: ReadonlyMap<RoomKey, string> = new Map();

/** The link of this browser, as far as known to this tab. */
export const selectBrowserLink = (snapshot: SnapshotFrom<LeaderMachine> | undefined): BrowserLink =>
  snapshot?.context.link ?? { kind: 'connecting' };

/** Ids of the messages that this tab is sending right now, by room. */
export const selectSending = (
  snapshot: SnapshotFrom<OutboxMachine> | undefined,
): ReadonlyMap<RoomKey, string> => snapshot?.context.inFlight ?? NONE;
