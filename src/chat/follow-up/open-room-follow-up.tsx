import { useEffect } from 'react';

import { useSummaries } from '#db/hooks/use-summaries.ts';
import { useTeams } from '#db/hooks/use-stored.ts';
import { type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import { toFullName } from '#domain/schemas/team.ts';
import { toRoomName } from '#domain/room-name.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { FollowUpDialog } from './follow-up-dialog.tsx';

/** The follow-up of a room; opened from one of its messages, its reminders alone. */
export const OpenRoomFollowUp = ({
  room,
  message,
  about,
  onClose,
}: {
  readonly room: RoomKey;
  /** The first line of the message, and its position. */
  readonly message?: string;
  readonly about?: Timetoken | undefined;
  readonly onClose: () => void;
}) => {
  const summary = useSummaries()?.get(room);
  const { clientId } = splitRoomKey(room);
  const team = useTeams()?.find(({ client_id }) => client_id === clientId);
  const isKnown = summary !== undefined && team !== undefined;
  useEffect(() => {
    if (!isKnown) onClose();
  }, [isKnown, onClose]);
  if (!isKnown) return null;
  const roomName = toRoomName(room, toFullName(team));
  const subject = { summary, roomName, about, ...(message !== undefined && { message }) };
  return <FollowUpDialog subject={subject} onClose={onClose} />;
};
