import { useProducers } from '#db/hooks/use-stored.ts';
import { useSummaries } from '#db/hooks/use-summaries.ts';
import { useUnsent } from '#db/hooks/use-unsent.ts';
import type { OutboxItem } from '#domain/project/rows.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { People } from '#domain/rules/sender.ts';
import type { RoomSummary } from '#domain/rules/waiting.ts';
import type { User } from '#domain/schemas/session.ts';
import { useSession } from '#src/actors/actors.ts';
import { useConnection } from '#src/actors/desk.ts';
import { useDraftsExcept } from '#src/drafts/use-drafts-except.ts';
import { useNow } from '#src/ui/use-now.ts';

/** The data of a user's rooms on this device. */
export interface InboxData {
  /** Undefined until they were read. */
  readonly summaries: ReadonlyMap<RoomKey, RoomSummary> | undefined;
  readonly user: User | undefined;
  readonly staff: People['staff'];
  readonly items: readonly OutboxItem[];
  readonly isOnline: boolean;
  readonly drafts: ReadonlyMap<RoomKey, string>;
  /** ms since the epoch */
  readonly now: number;
}

const NO_ITEMS: readonly OutboxItem[] = [];

/** Omits the draft of the `open` room, whose message field shows it. */
export const useInboxData = (open: RoomKey | undefined): InboxData => {
  const { user } = useSession();
  const summaries = useSummaries();
  const staff = useProducers();
  const items = useUnsent() ?? NO_ITEMS;
  const isOnline = useConnection().kind === 'online';
  const drafts = useDraftsExcept(user?.uid, open);
  const now = useNow();
  return { summaries, user, staff, items, isOnline, drafts, now };
};
