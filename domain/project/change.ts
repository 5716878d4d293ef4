import type { Coverage, MessageRow, OutboxItem, RoomActivity } from './rows.ts';
import type { RoomKey } from '../rooms.ts';

/** The rows that a projection may read, by their keys. */
export interface Rows {
  readonly messages: ReadonlyMap<string, MessageRow>;
  readonly items: ReadonlyMap<string, OutboxItem>;
  readonly coverage: ReadonlyMap<RoomKey, Coverage>;
  readonly activity: ReadonlyMap<RoomActivity['room'], RoomActivity>;
}

/** One change of one projected table. */
export type Change =
  | { readonly kind: 'message.put'; readonly row: MessageRow }
  | { readonly kind: 'item.put'; readonly item: OutboxItem }
  | { readonly kind: 'item.removed'; readonly id: string }
  | { readonly kind: 'coverage.put'; readonly coverage: Coverage }
  | { readonly kind: 'activity.put'; readonly activity: RoomActivity };
