import { useEffect, useRef } from 'react';

import { useFailed } from '#db/hooks/use-unsent.ts';
import { useTeams } from '#db/hooks/use-stored.ts';
import { TEXTS } from '#domain/errors.ts';
import type { OutboxItem } from '#domain/project/rows.ts';
import { splitRoomKey } from '#domain/rooms.ts';
import { toRoomPath } from '#domain/routes.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { toRoomName } from '#domain/room-name.ts';
import { usePathname } from '#src/ui/address.tsx';
import { showToast } from '#src/ui/toasts/toast-store.ts';

import { useIsVisible } from './use-is-visible.ts';

/** The stored reason or the text of spec §8, and the room if it is not the open one. */
const toText = (
  { room, reason = '' }: OutboxItem,
  path: string,
  teams: readonly Team[],
): string => {
  const text = reason === '' ? TEXTS.publishFailed : reason;
  if (toRoomPath(room) === path) return text;
  const { clientId } = splitRoomKey(room);
  const team = teams.find(({ client_id }) => client_id === clientId);
  return `${text} (${toRoomName(room, team ? toFullName(team) : clientId)})`;
};

const NO_TEAMS: readonly Team[] = [];

/** Reports messages that fail while the page is open, in any room, once the page is visible. */
export const FailureToasts = () => {
  const failed = useFailed();
  const teams = useTeams() ?? NO_TEAMS;
  const pathname = usePathname();
  const visible = useIsVisible();
  const known = useRef<ReadonlySet<string> | undefined>(undefined);
  useEffect(() => {
    if (failed === undefined) return;
    const before = known.current;
    if (before !== undefined && !visible) return;
    known.current = new Set(failed.map(({ id }) => id));
    // Messages that had failed before are not reported again.
    for (const item of before === undefined ? [] : failed) {
      if (before?.has(item.id) === false) showToast('error', toText(item, pathname, teams));
    }
  }, [failed, teams, pathname, visible]);
  return null;
};
