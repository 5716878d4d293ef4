import { Button } from '@mantine/core';

import { useUpdate } from '#src/actors/actors.ts';

import classes from './update-prompt.module.css';

const TEXTS = {
  none: '',
  offered: 'A new version is ready.',
  coming: 'Installing the update…',
  held: 'The update installs after your message is sent.',
} as const;

/** Offers a new version, which is never applied without consent. */
export const UpdatePrompt = () => {
  const update = useUpdate();
  return (
    <div
      role="status"
      className={classes['root']}
      data-shown={update.state === 'none' ? undefined : true}
    >
      {TEXTS[update.state]}
      {update.state === 'offered' && (
        <Button size="compact-sm" onClick={() => update.apply()}>
          Reload
        </Button>
      )}
    </div>
  );
};
