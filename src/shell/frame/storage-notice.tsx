import { useState } from 'react';
import { Button } from '@mantine/core';

import { type SpaceView, useSpace } from '#db/hooks/use-stored.ts';
import { HELD_MESSAGES_MAX } from '#domain/limits.ts';
import type { ReturnedView } from '#src/actors/desk.ts';
import { Banner } from '#src/ui/banner.tsx';
import { passFocus } from '#src/ui/focus.ts';
import { withMantine } from '#src/ui/mantine/with-mantine.tsx';

import classes from './storage-notice.module.css';

const FULL = "New messages are shown but not saved, and you can't send any.";
const FREE_UP = 'Free up some space. Replay Desk then continues automatically.';
/** In this state saved messages cannot be read, either. */
const CLOSED = 'Some saved messages may not appear until there is space. Nothing saved is lost.';
const CUT = `Only the newest ${HELD_MESSAGES_MAX.toLocaleString('en')} new messages are shown.`;

const Full = ({ isClosed, isCut }: Pick<SpaceView, 'isClosed' | 'isCut'>) => (
  <Banner
    title="This device's storage is full"
    text={[FULL, ...(isCut ? [CUT] : []), FREE_UP, ...(isClosed ? [CLOSED] : [])].join(' ')}
  />
);

const LOST =
  "This browser's storage was damaged or cleared while Replay Desk was closed. Messages are loading again.";

const LOSSES = {
  store: `${LOST} As far as we know, nothing was waiting to be sent.`,
  unsent: `${LOST} Unsent messages may be lost.`,
} as const;

const Loss = ({
  loss,
  onDismiss,
}: {
  readonly loss: 'store' | 'unsent';
  readonly onDismiss: () => void;
}) => (
  <Banner title="Storage was lost" text={LOSSES[loss]}>
    <Button ref={passFocus} size="compact-sm" variant="default" onClick={onDismiss}>
      Dismiss
    </Button>
  </Banner>
);

const UNREADABLE =
  "The server's key has changed since you kept these messages at sign-out, so they can't be read or sent.";
const DISCARDING =
  'They would be lost. If the server gets its earlier key back, they can still be sent.';
const NOT_DISCARDED = "They couldn't be discarded. Try again.";

/** Asks before it discards: an operator may restore the key. */
const Unreadable = ({
  hasFailed,
  onDiscard,
}: {
  readonly hasFailed: boolean;
  readonly onDiscard: () => void;
}) => {
  const [isAsking, setAsking] = useState(false);
  return (
    <Banner
      title={isAsking ? 'Discard the kept messages?' : "Kept messages can't be opened"}
      text={[isAsking ? DISCARDING : UNREADABLE, hasFailed && NOT_DISCARDED]
        .filter(Boolean)
        .join(' ')}
    >
      {/* One button, which keeps the focus: a second click on it discards nothing. */}
      <Button
        ref={passFocus}
        size="compact-sm"
        variant="default"
        onClick={() => setAsking(!isAsking)}
      >
        {isAsking ? 'Keep them' : 'Discard them'}
      </Button>
      {isAsking && (
        <Button size="compact-sm" variant="default" onClick={onDiscard}>
          Discard
        </Button>
      )}
    </Banner>
  );
};

/** The notices about this browser's storage, above every page. */
const StorageNotice = ({ returned }: { readonly returned: ReturnedView }) => {
  const space = useSpace();
  return (
    <div className={classes['root']}>
      {space.isFull && <Full {...space} />}
      {returned.loss !== 'none' && (
        <Loss loss={returned.loss} onDismiss={() => returned.dismissLoss()} />
      )}
      {returned.unreadable && (
        <Unreadable
          hasFailed={returned.hasFailed === true}
          onDiscard={() => returned.discardUnreadable()}
        />
      )}
    </div>
  );
};

export default withMantine(StorageNotice);
