import { useEffect } from 'react';

import { useSummaries } from '#db/hooks/use-summaries.ts';
import { useTeams } from '#db/hooks/use-stored.ts';
import { type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import { toFullName } from '#domain/schemas/team.ts';
import { toRoomName } from '#domain/room-name.ts';

import { FollowUpDialog } from './follow-up-dialog.tsx';

/** The follow-up of a room; opened from one of its messages, its reminders alone. */
export const OpenRoomFollowUp = ({
  room,
  message,
  onClose,
}: {
  readonly room: RoomKey;
  readonly message?: string;
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
  const subject = { summary, roomName, ...(message !== undefined && { message }) };
  return <FollowUpDialog subject={subject} onClose={onClose} />;
};
