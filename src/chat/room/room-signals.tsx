import type { ComponentProps } from 'react';

import { Announcer } from './announcer.tsx';
import { RoomBell } from './room-bell.tsx';

/** What tells of new messages: to a screen reader, and whether notifications do. */
const RoomSignals = ({
  rows,
  ...bell
}: ComponentProps<typeof Announcer> & ComponentProps<typeof RoomBell>) => (
  <>
    <Announcer rows={rows} />
    <RoomBell {...bell} />
  </>
);

export default RoomSignals;
