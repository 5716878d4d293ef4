import type { Coverage, MessageRow, OutboxItem, RoomActivity } from './rows.ts';
import type { RoomKey } from '../rooms.ts';

/** What a projection may read; the same for the browser's store and for an in-memory one. */
export interface ProjectionReads {
  findMessage(key: string): MessageRow | undefined;
  findItem(id: string): OutboxItem | undefined;
  findCoverage(room: RoomKey): Coverage | undefined;
  findActivity(room: RoomActivity['room']): RoomActivity | undefined;
}

/** One change of one projected table. */
export type Change =
  | { readonly kind: 'message.put'; readonly row: MessageRow }
  | { readonly kind: 'item.put'; readonly item: OutboxItem }
  | { readonly kind: 'item.removed'; readonly id: string }
  | { readonly kind: 'coverage.put'; readonly coverage: Coverage }
  | { readonly kind: 'activity.put'; readonly activity: RoomActivity };
