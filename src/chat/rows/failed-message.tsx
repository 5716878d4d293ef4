import { IconAlertCircle, IconCopy, IconRefresh, IconTrash } from '@tabler/icons-react';

import { TEXTS } from '#domain/errors.ts';
import { useMessageCommands } from '#src/actors/desk.ts';
import { copy } from '#src/ui/toasts/copy.ts';
import { showFailure } from '#src/ui/toasts/show-failure.ts';

import classes from './failed-message.module.css';
import { findNextFocus, useDelete } from './use-delete.ts';

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
