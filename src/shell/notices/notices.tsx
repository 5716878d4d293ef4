import type { PageFrame } from '#src/ui/page-frame.ts';

import { FailureToasts } from './failure-toasts.tsx';
import { Notifications } from './notifications.tsx';

/** What happens outside the page in view: messages that fail, and new ones in the background. */
const Notices = (frame: Pick<PageFrame, 'caughtUp' | 'unread'>) => (
  <>
    <FailureToasts />
    <Notifications {...frame} />
  </>
);

export default Notices;
