import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import { Button } from '@mantine/core';

import { useFailed } from '#db/hooks/use-unsent.ts';
import { type LogoutView, useLogout } from '#src/actors/actors.ts';
import { useConnection } from '#src/actors/desk.ts';
import { Spinner } from '#src/ui/waiting.tsx';
import { withMantine } from '#src/ui/mantine/with-mantine.tsx';

import '#src/ui/dialog.css';
import classes from './dialog.module.css';
import { toLeavingText, toUnsentText, type Unsent } from './text.ts';

interface Question extends Unsent {
  readonly logout: LogoutView;
  /** Closes the dialog, which returns the focus. */
  readonly onCancel: () => void;
}

const focusMain = (): void => {
  document.querySelector<HTMLElement>('dialog[open] [data-main]')?.focus();
};

/** Focuses the main button of the open dialog, again if the button with the focus disappears. */
const useMainFocus = (): void => {
  useEffect(focusMain, []);
  useEffect(() => {
    if (document.activeElement === document.body) focusMain();
  });
};

/** While messages are sent, or marks are shared. */
const Sending = ({ logout, onCancel }: Question) => {
  useMainFocus();
  return (
    <div className={classes['foot']}>
      <Button variant="default" data-main onClick={onCancel}>
        Stay signed in
      </Button>
      {logout.keepable && logout.state !== 'sharing' && (
        <Button variant="default" onClick={() => logout.answer('keep')}>
          Sign out and keep them
        </Button>
      )}
    </div>
  );
};

/**
 * One way to sign out at once, with its effect on the messages. The button's name is its label
 * (WCAG 2.5.3); the text over its lower part describes it.
 */
const Choice = ({
  title,
  text,
  danger = false,
  onChoose,
}: {
  readonly title: string;
  readonly text: string;
  readonly danger?: boolean;
  readonly onChoose: () => void;
}) => {
  const textId = useId();
  return (
    <div className={classes['choice']}>
      <button
        type="button"
        className={classes['choice-button']}
        data-danger={danger || undefined}
        aria-describedby={textId}
        onClick={onChoose}
      >
        {title}
      </button>
      <span id={textId} className={classes['choice-text']}>
        {text}
      </span>
    </div>
  );
};

const Choices = ({ logout }: { readonly logout: LogoutView }) => (
  <div className={classes['choices']}>
    {logout.keepable ? (
      <Choice
        title="Keep until I sign in again"
        text="Kept messages stay in this browser, encrypted. Nobody else can read them."
        onChoose={() => logout.answer('keep')}
      />
    ) : (
      <p className={classes['note']}>
        These messages can't be kept yet: this browser must connect once to encrypt them. Reconnect,
        or discard them.
      </p>
    )}
    <Choice
      danger
      title="Discard and sign out"
      text="Unsent messages are deleted from this device."
      onChoose={() => logout.answer('discard')}
    />
  </div>
);

const Asking = ({ logout, queued, failed, marks, drafts, onCancel }: Question) => {
  useMainFocus();
  const { kind } = useConnection();
  const unsent = queued + failed;
  // Refused messages cannot be sent first, and without a network nothing can be sent at once.
  const isSendMain = queued > 0 && kind !== 'offline';
  const isLoss = drafts || marks;
  return (
    <>
      {unsent > 0 && <Choices logout={logout} />}
      <div className={classes['foot']}>
        <Button
          variant="default"
          // A press of Enter may have been meant for a button that is gone.
          data-main={!isSendMain || undefined}
          onClick={onCancel}
        >
          Cancel
        </Button>
        {queued > 0 && (
          <Button
            variant={isSendMain ? 'filled' : 'default'}
            data-main={isSendMain || undefined}
            onClick={() => logout.answer('send')}
          >
            Send first
          </Button>
        )}
        {unsent === 0 && (
          <Button
            {...(isLoss && { variant: 'light', color: 'red' })}
            onClick={() => logout.answer('discard')}
          >
            Sign out
          </Button>
        )}
      </div>
    </>
  );
};

const TITLES = new Map<LogoutView['state'], string>([
  ['sending', 'Sending before sign-out'],
  ['sharing', 'Signing out'],
]);

/** One live region for all states: a region that is inserted with its text is not announced. */
const Status = ({ logout, ...unsent }: Omit<Question, 'onCancel'>) => {
  const link = useConnection();
  if (logout.state === 'asking') return toUnsentText(unsent);
  const isSharing = logout.state === 'sharing';
  return (
    <span className={classes['progress']}>
      {(isSharing || link.kind === 'online') && <Spinner size={18} />}
      {isSharing ? 'Saving your changes…' : toLeavingText(link, unsent.queued)}
    </span>
  );
};

const Dialog = (asked: Omit<Question, 'onCancel'>) => {
  const { logout } = asked;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const question = { ...asked, onCancel: () => dialog.current?.close() };
  return (
    <dialog
      ref={dialog}
      className={classes['dialog']}
      aria-labelledby="sign-out-title"
      aria-describedby="sign-out-status"
      data-pending={logout.state !== 'asking' || undefined}
      onClose={() => logout.cancel()}
    >
      <h2 id="sign-out-title">{TITLES.get(logout.state) ?? 'Sign out?'}</h2>
      <p id="sign-out-status" role="status">
        <Status {...asked} />
      </p>
      {logout.state === 'asking' ? <Asking {...question} /> : <Sending {...question} />}
    </dialog>
  );
};

/** Asks before signing out what to do with unsent messages, and names what would be lost. */
const SignOut = ({ queued }: { readonly queued: number }) => {
  const logout = useLogout();
  const failed = useFailed()?.length ?? 0;
  const { marks = false, drafts = false } = logout;
  return <Dialog {...{ logout, queued, failed, marks, drafts }} />;
};

export default withMantine(SignOut);
