import { useEffect, useRef } from 'react';
import { Button, Loader } from '@mantine/core';

import { useFailed } from '#db/hooks/use-failed.ts';
import { type LogoutView, useConnection, useLogout } from '#src/app/actors.ts';

import classes from './sign-out-dialog.module.css';
import { toSendingText, toUnsentText, type Unsent } from './sign-out-text.ts';

interface Question extends Unsent {
  readonly logout: LogoutView;
}

const Sending = ({ logout, queued }: Question) => {
  const { kind } = useConnection();
  return (
    <>
      <p role="status" className={classes['progress']}>
        {kind === 'online' && <Loader size="xs" aria-hidden />}
        {toSendingText(kind, queued)}
      </p>
      <div className={classes['actions']}>
        <Button variant="default" onClick={() => logout.answer('keep')}>
          Sign out now, keep them
        </Button>
        <Button variant="default" onClick={() => logout.cancel()}>
          Stay signed in
        </Button>
      </div>
    </>
  );
};

const Asking = ({ logout, queued, failed, drafts }: Question) => {
  const unsent = queued + failed;
  return (
    <>
      <p>{toUnsentText({ queued, failed, drafts })}</p>
      {unsent > 0 && (
        <p className={classes['note']}>
          Kept messages stay in this browser, out of sight, until you sign in here again. On a
          machine you share, send or discard them.
        </p>
      )}
      <div className={classes['actions']}>
        {queued > 0 && (
          <Button data-autofocus onClick={() => logout.answer('send')}>
            Send first
          </Button>
        )}
        {unsent > 0 && (
          <Button variant="default" onClick={() => logout.answer('keep')}>
            Keep for my next sign-in
          </Button>
        )}
        <Button
          variant="default"
          className={classes['danger'] ?? ''}
          onClick={() => logout.answer('discard')}
        >
          {unsent > 0 ? 'Discard and sign out' : 'Sign out'}
        </Button>
        <Button variant="default" onClick={() => logout.cancel()}>
          Cancel
        </Button>
      </div>
    </>
  );
};

const Dialog = (question: Question) => {
  const { logout } = question;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const sending = logout.state === 'sending';
  return (
    <dialog
      ref={dialog}
      className={classes['dialog']}
      aria-labelledby="sign-out-title"
      onClose={() => logout.cancel()}
    >
      <h2 id="sign-out-title" className={classes['title']}>
        {sending ? 'Sending before you go' : 'Sign out?'}
      </h2>
      {sending ? <Sending {...question} /> : <Asking {...question} />}
    </dialog>
  );
};

/** Asks what becomes of what is not sent, before signing out. */
const SignOut = ({ queued }: { readonly queued: number }) => {
  const logout = useLogout();
  const failed = useFailed()?.length ?? 0;
  const open = logout.state === 'asking' || logout.state === 'sending';
  return open ? (
    <Dialog logout={logout} queued={queued} failed={failed} drafts={logout.drafts} />
  ) : null;
};

export default SignOut;
