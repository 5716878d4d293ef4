import { IconCloudOff } from '@tabler/icons-react';

import { Spinner } from '#src/ui/waiting.tsx';

import classes from './gap-line.module.css';

/** Shown where messages are missing, until they arrive. */
const GapLine = ({ state }: { readonly state: 'filling' | 'waiting' }) => (
  <div role="listitem">
    <p role="note" className={classes['root']} data-gap={state}>
      {state === 'filling' ? (
        <>
          <Spinner size={14} /> Loading the messages in between…
        </>
      ) : (
        <>
          <IconCloudOff size={16} aria-hidden /> Some messages haven't loaded. They will when you're
          back online.
        </>
      )}
    </p>
  </div>
);

export default GapLine;
