import { IconPin, IconPinFilled } from '@tabler/icons-react';

import type { Team } from '#domain/schemas/team.ts';
import { usePin } from '#src/actors/pin-client.ts';

import classes from './pin-button.module.css';

const ICON_PX = 18;

/** Pins the client whose rooms are listed to the top of the clients, or unpins it. */
const PinButton = ({ team }: { readonly team: Team }) => {
  const pin = usePin(team);
  if (pin === undefined) return null;
  const { isPinned, label, toggle } = pin;
  const Icon = isPinned ? IconPinFilled : IconPin;
  return (
    <button
      type="button"
      className={classes['button']}
      aria-label={label}
      title={label}
      data-pinned={isPinned || undefined}
      onClick={() => void toggle()}
    >
      <Icon size={ICON_PX} stroke={1.8} aria-hidden />
    </button>
  );
};

export default PinButton;
