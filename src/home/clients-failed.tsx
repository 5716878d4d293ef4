import { TEXTS } from '#domain/errors.ts';
import { useTeamsStatus } from '#src/actors/desk.ts';
import { Banner } from '#src/ui/banner.tsx';
import { passFocus } from '#src/ui/focus.ts';
import { PlainButton } from '#src/ui/plain-button.tsx';

/** The clients could not be loaded, so nothing about them is known. */
const ClientsFailed = () => {
  const status = useTeamsStatus();
  return (
    <Banner text={TEXTS.clientsFailed}>
      <PlainButton
        ref={passFocus}
        kind="small"
        text="Try again"
        loading={status.refetching}
        onClick={() => status.retry()}
      />
    </Banner>
  );
};

export default ClientsFailed;
