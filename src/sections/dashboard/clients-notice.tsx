import { TEXTS } from '#domain/errors.ts';
import { useTeamsStatus } from '#src/actors/desk.ts';
import { Banner } from '#src/ui/banner.tsx';
import { passFocus } from '#src/ui/focus.ts';
import { PlainButton } from '#src/ui/plain-button.tsx';

import classes from './dashboard-page.module.css';

/** The page without figures: the clients could not be loaded, or there are none. */
export const ClientsNotice = ({ isFailed }: { readonly isFailed: boolean }) => {
  const status = useTeamsStatus();
  return (
    <>
      <h1 className={classes['title']}>Dashboard</h1>
      {isFailed ? (
        <Banner text={TEXTS.clientsFailed}>
          <PlainButton
            ref={passFocus}
            kind="small"
            text="Try again"
            loading={status.refetching}
            onClick={() => status.retry()}
          />
        </Banner>
      ) : (
        <p>You have no clients yet.</p>
      )}
    </>
  );
};
