import { IconAlertCircle, IconCopy, IconRefresh, IconTrash } from '@tabler/icons-react';

import { TEXTS } from '#domain/errors.ts';
import { useDesk } from '#src/actors/desk.ts';
import { showFailure } from '#src/ui/toasts/show-failure.ts';

import { copy } from './copy.ts';
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
        <Action
          icon={IconRefresh}
          label="Retry"
          onClick={() => void desk.retry(id).then(showFailure)}
        />
        <Action icon={IconCopy} label="Copy" onClick={() => void copy(text, 'Copied.')} />
        <Action
          icon={IconTrash}
          label="Delete"
          onClick={() => void desk.discard(id).then(showFailure)}
        />
      </div>
    </div>
  );
};

export default FailedMessage;
