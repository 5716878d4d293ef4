import { Button } from '@mantine/core';

import type { ReturnedView } from '#src/actors/storage.ts';
import { Banner } from '#src/ui/banner.tsx';

import classes from './storage-notice.module.css';

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
    <Button size="compact-sm" variant="default" onClick={onDismiss}>
      Dismiss
    </Button>
  </Banner>
);

const Unreadable = ({ onDiscard }: { readonly onDiscard: () => void }) => (
  <Banner
    title="Kept messages can't be opened"
    text="The server's key has changed since you kept these messages at sign-out, so they can't be read or sent."
  >
    <Button size="compact-sm" variant="default" onClick={onDiscard}>
      Discard them
    </Button>
  </Banner>
);

/** What there is to say about the storage of this browser, above every page. */
const StorageNotice = ({ returned }: { readonly returned: ReturnedView }) => (
  <div className={classes['root']}>
    {returned.loss !== 'none' && (
      <Loss loss={returned.loss} onDismiss={() => returned.dismissLoss()} />
    )}
    {returned.unreadable && <Unreadable onDiscard={() => returned.discardUnreadable()} />}
  </div>
);

export default StorageNotice;
