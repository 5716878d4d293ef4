import { IconAlertCircle, IconCopy, IconRefresh, IconTrash } from '@tabler/icons-react';

import { type AppError, TEXTS } from '#domain/errors.ts';
import type { Result } from '#domain/result.ts';
import { useDesk } from '#src/actors/desk.ts';
import { showToast } from '#src/ui/toasts/toast-store.ts';

import { copy } from './copy.ts';
import classes from './failed-message.module.css';

/** The toast showed the general text already; only a server's own text is worth repeating. */
const toReasonText = (reason: string): string =>
  reason === '' || reason === TEXTS.publishFailed ? 'Not sent' : `Not sent: ${reason}`;

const run = async (command: Promise<Result<unknown, AppError>>): Promise<void> => {
  const result = await command;
  if (!result.ok) showToast('error', TEXTS.generic);
};

const Action = ({
  icon: Icon,
  label,
  onClick,
}: {
  readonly icon: typeof IconCopy;
  readonly label: string;
  readonly onClick: () => void;
}) => (
  <button type="button" className={classes['button']} onClick={onClick}>
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
  const desk = useDesk();
  return (
    <div className={classes['root']}>
      <p className={classes['reason']}>
        <IconAlertCircle size={16} aria-hidden /> {toReasonText(reason)}
      </p>
      <div className={classes['actions']}>
        <Action icon={IconRefresh} label="Retry" onClick={() => void run(desk.retry(id))} />
        <Action icon={IconCopy} label="Copy" onClick={() => void copy(text, 'Copied.')} />
        <Action icon={IconTrash} label="Delete" onClick={() => void run(desk.discard(id))} />
      </div>
    </div>
  );
};

export default FailedMessage;
