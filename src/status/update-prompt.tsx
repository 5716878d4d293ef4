import { useEffect } from 'react';

import type { NotificationRequest } from '#domain/schemas/notification.ts';
import { useHasEnded, useUpdate } from '#src/actors/use-update.ts';
import { passFocus } from '#src/ui/focus.ts';
import { PlainButton } from '#src/ui/plain-button.tsx';

import classes from './update-prompt.module.css';

const TEXTS = {
  none: '',
  offered: 'A new version is ready.',
  coming: 'Installing the update…',
  blockedByDraft: 'The update installs after your message is sent.',
} as const;

/** Absent in some browsers, and on plain http beyond loopback, although the types declare them. */
const browser: Partial<Pick<Navigator, 'serviceWorker' | 'clearAppBadge'>> = navigator;

const SUBJECTS = ['messages', 'reminder'] as const;

/**
 * Closes the notifications of a session that ended while no page was open, and removes its number
 * from the icon of the installed app.
 */
const clearNotices = async (): Promise<void> => {
  const registration = await browser.serviceWorker?.getRegistration();
  for (const subject of SUBJECTS) {
    const request: NotificationRequest = { type: 'KEEP_NOTIFICATIONS', subject, rooms: [] };
    registration?.active?.postMessage(request);
  }
  await browser.clearAppBadge?.();
};

/**
 * Offers a new version, which is never applied without consent. Its chunk also loads on the sign-in
 * page, and clears there what the last session left behind.
 */
const UpdatePrompt = () => {
  const update = useUpdate();
  const hasEnded = useHasEnded();
  useEffect(() => {
    // Refused where workers or the badge are.
    if (hasEnded) clearNotices().catch(() => undefined);
  }, [hasEnded]);
  return (
    <div
      role="status"
      className={classes['root']}
      data-shown={update.state === 'none' ? undefined : true}
    >
      {TEXTS[update.state]}
      {update.state === 'offered' && (
        <PlainButton ref={passFocus} kind="small" text="Reload" onClick={() => update.apply()} />
      )}
    </div>
  );
};

export default UpdatePrompt;
