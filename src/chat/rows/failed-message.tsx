import { IconAlertCircle, IconCopy, IconRefresh, IconTrash } from '@tabler/icons-react';

import { TEXTS } from '#domain/errors.ts';
import { toDraftPreview } from '#domain/text/preview.ts';
import { useSession } from '#src/actors/actors.ts';
import { useMessageCommands } from '#src/actors/desk.ts';
import { addToDraft, toDraftKey } from '#src/drafts/drafts.ts';
import { isTouch } from '#src/ui/key-names.ts';
import { copy } from '#src/ui/toasts/copy.ts';
import { showFailure } from '#src/ui/toasts/show-failure.ts';
import { showToast } from '#src/ui/toasts/toast-store.ts';
import { useOpenRoom } from '#src/ui/use-open-room.ts';

import classes from './failed-message.module.css';

/** The toast showed the general text already; only a server's own text is worth repeating. */
const toReasonText = (reason: string): string =>
  reason === '' || reason === TEXTS.publishFailed ? 'Not sent' : `Not sent: ${reason}`;

const Action = ({
  icon: Icon,
  label,
  onClick,
}: {
  readonly icon: typeof IconCopy;
  readonly label: string;
  readonly onClick: () => void;
}) => (
  <button
    type="button"
    className={classes['button']}
    // A double click would also press the button of the message that moves under the pointer.
    onClick={({ detail }) => detail <= 1 && onClick()}
  >
    <Icon size={15} aria-hidden /> {label}
  </button>
);

/**
 * The element that gets the focus once the pressed button is gone; no field on a touch device,
 * because it would open the keyboard.
 */
const findNextFocus = (): HTMLElement | null =>
  document.querySelector(isTouch() ? '[role="region"][aria-label="Messages"]' : 'textarea');

/** Deletes a message; the toast can put its text back into the composer. */
const useDelete = (id: string, text: string): (() => Promise<void>) => {
  const commands = useMessageCommands();
  const room = useOpenRoom();
  const uid = useSession().user?.uid;
  return async () => {
    const next = findNextFocus();
    const discarded = await commands.discard(id);
    if (!discarded.ok) return showFailure(discarded);
    next?.focus({ preventScroll: true });
    if (room === undefined || uid === undefined) return;
    const key = toDraftKey(uid, room);
    const restore = (): void => {
      addToDraft(key, text);
      next?.focus({ preventScroll: true });
    };
    showToast('info', `Deleted: “${toDraftPreview(text).text}”`, { label: 'Undo', run: restore });
  };
};

/** A refused message with its reason and actions. The text stays until deleted. */
const FailedMessage = ({
  id,
  text,
  reason,
}: {
  readonly id: string;
  readonly text: string;
  readonly reason: string;
}) => {
  const commands = useMessageCommands();
  const remove = useDelete(id, text);
  const retry = async (): Promise<void> => {
    const next = findNextFocus();
    const retried = await commands.retry(id);
    if (!retried.ok) return showFailure(retried);
    next?.focus({ preventScroll: true });
  };
  return (
    <div className={classes['root']}>
      <p className={classes['reason']}>
        <IconAlertCircle size={16} aria-hidden /> {toReasonText(reason)}
      </p>
      <div className={classes['actions']}>
        <Action icon={IconRefresh} label="Retry" onClick={() => void retry()} />
        <Action icon={IconCopy} label="Copy" onClick={() => void copy(text, 'Copied.')} />
        <Action icon={IconTrash} label="Delete" onClick={() => void remove()} />
      </div>
    </div>
  );
};

export default FailedMessage;
