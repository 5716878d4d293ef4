import { useUpdate } from '#src/actors/use-update.ts';
import { PlainButton } from '#src/ui/plain-button.tsx';

import classes from './update-prompt.module.css';

const TEXTS = {
  none: '',
  offered: 'A new version is ready.',
  coming: 'Installing the update…',
  blockedByDraft: 'The update installs after your message is sent.',
} as const;

/** Offers a new version, which is never applied without consent. */
const UpdatePrompt = () => {
  const update = useUpdate();
  return (
    <div
      role="status"
      className={classes['root']}
      data-shown={update.state === 'none' ? undefined : true}
    >
      {TEXTS[update.state]}
      {update.state === 'offered' && (
        <PlainButton kind="small" text="Reload" onClick={() => update.apply()} />
      )}
    </div>
  );
};

export default UpdatePrompt;
