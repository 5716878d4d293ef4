import type { BrowserLink, LinkStatus } from '#domain/link-status.ts';
import type { LeaderRow } from '#domain/project/rows.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import type { SnapshotFrom } from 'xstate';

import type { connectionMachine } from '../connection/connection.machine.ts';
import type { outboxMachine } from '../outbox/outbox.machine.ts';
import type { LeaderInput } from '../outbox/room-sender.machine.ts';
import type { StoreInput } from '../teams/teams.machine.ts';

export type LeaderSignal =
  | { readonly type: 'lock.held' }
  | { readonly type: 'lock.lost' }
  /** A heartbeat of the leading tab; `recent` unless it is left over from earlier. */
  | { readonly type: 'leader.seen'; readonly row: LeaderRow; readonly recent: boolean }
  /** Whether the disk is full, so that no heartbeat can be written. */
  | { readonly type: 'space.changed'; readonly isFull: boolean }
  | { readonly type: 'fence.taken'; readonly fence: number }
  | { readonly type: 'fence.failed' }
  | { readonly type: 'beat.done' }
  /** The storage did not take a heartbeat for so long that other tabs may take over. */
  | { readonly type: 'beat.overdue' }
  /** Another tab took over while this one believed to lead. */
  | { readonly type: 'leader.fenced' }
  | {
      readonly type: 'xstate.snapshot.connection';
      readonly snapshot: SnapshotFrom<typeof connectionMachine>;
    }
  | {
      readonly type: 'xstate.snapshot.outbox';
      readonly snapshot: SnapshotFrom<typeof outboxMachine>;
    }
  /** The engine answered a publish. */
  | { readonly type: 'engine.answered' }
  | { readonly type: 'retry.requested' }
  | { readonly type: 'page.shown' };

export interface DeskInput extends StoreInput {
  readonly uid: string;
}

export interface LeaderContext extends LeaderInput {
  /** What the one stream of this browser is doing, here or in the leading tab. */
  readonly link: BrowserLink;
  /** Where the stream of this tab stands while it leads. */
  readonly cursor: Timetoken | undefined;
  /** As this tab knows while it does not lead. */
  readonly isFull: boolean;
}

export interface BeatInput extends Pick<LeaderContext, 'store' | 'fence' | 'cursor'> {
  readonly link: LinkStatus;
}
