import { Button } from '@mantine/core';

import { useUpdate } from '#src/app/actors.ts';

import classes from './update-prompt.module.css';

/** Offers a waiting version; it is never taken by surprise. */
export const UpdatePrompt = () => {
  const update = useUpdate();
  return (
    <div role="status" className={classes['root']} data-shown={update.waiting || undefined}>
      {update.waiting && (
        <>
          A new version is ready.
          <Button size="compact-sm" onClick={() => update.apply()}>
            Reload
          </Button>
        </>
      )}
    </div>
  );
};
