import { useRef, useState } from 'react';
import { Menu } from '@mantine/core';
import { IconBell, IconBellOff } from '@tabler/icons-react';

import { useChangeChoice, useNotificationChoice } from '#db/hooks/choices/use-notifications.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { isMuted } from '#domain/rules/notification.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { ActionMenu } from '#src/ui/mantine/action-menu.tsx';
import { showFailure } from '#src/ui/toasts/show-failure.ts';

const ICON_PX = 20;

const toggle = (list: readonly string[], one: string): string[] =>
  list.includes(one) ? list.filter((other) => other !== one) : [...list, one];

/** Renders nothing while notifications are off. */
export const RoomBell = ({
  room,
  team,
  className,
}: {
  readonly room: RoomKey;
  readonly team: Team;
  readonly className: string;
}) => {
  const choice = useNotificationChoice();
  const change = useChangeChoice();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (choice?.isOn !== true) return null;
  const isSilent = isMuted(choice, room);
  const Icon = isSilent ? IconBellOff : IconBell;
  const save = async (part: 'mutedClients' | 'mutedRooms', one: string): Promise<void> => {
    showFailure(await change((before) => ({ ...before, [part]: toggle(before[part], one) })));
  };
  const items = [
    { part: 'mutedRooms', one: room, name: 'this room' },
    { part: 'mutedClients', one: team.client_id, name: toFullName(team) },
  ] as const;
  return (
    <ActionMenu
      label="Notifications"
      isOpen={isOpen}
      onChange={setOpen}
      button={button}
      position="bottom-end"
      offset={4}
      target={
        <button
          ref={button}
          type="button"
          className={className}
          aria-label={isSilent ? 'Notifications: muted' : 'Notifications: on'}
        >
          <Icon size={ICON_PX} stroke={1.6} aria-hidden />
        </button>
      }
    >
      {items.map(({ part, one, name }) => (
        <Menu.Item key={part} onClick={() => void save(part, one)}>
          {choice[part].includes(one) ? 'Unmute' : 'Mute'} {name}
        </Menu.Item>
      ))}
    </ActionMenu>
  );
};
