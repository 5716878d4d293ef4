import { IconAlarm, IconAlarmFilled } from '@tabler/icons-react';

import { useSummaries } from '#db/hooks/use-summaries.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toRemindLabel } from '#domain/text/remind-times.ts';
import { toEpochMs } from '#domain/timetoken.ts';
import { useNow } from '#src/ui/use-now.ts';

const ICON_PX = 20;
/** The follow-up button of the open room; renders nothing in an empty room. */
export const RoomFollowUp = ({
  room,
  className,
  onOpen,
}: {
  readonly room: RoomKey;
  readonly className: string;
  readonly onOpen: () => void;
}) => {
  const summary = useSummaries()?.get(room);
  const now = useNow();
  if (summary === undefined) return null;
  const { reminder } = summary;
  const note = reminder && `Reminder: ${toRemindLabel(toEpochMs(reminder.due), now)}`;
  const Icon = reminder === undefined ? IconAlarm : IconAlarmFilled;
  return (
    <button
      type="button"
      className={className}
      aria-label={note === undefined ? 'Follow up' : `Follow up. ${note}`}
      aria-haspopup="dialog"
      title={note ?? 'Follow up: done, or remind me'}
      onClick={onOpen}
    >
      <Icon size={ICON_PX} stroke={1.6} aria-hidden />
    </button>
  );
};
