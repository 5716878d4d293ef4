import { toDraftPreview } from '#domain/text/preview.ts';
import { useSession } from '#src/actors/actors.ts';
import { useMessageCommands } from '#src/actors/desk.ts';
import { addToDraft, toDraftKey } from '#src/drafts/drafts.ts';
import { isTouch } from '#src/ui/key-names.ts';
import { showFailure } from '#src/ui/toasts/show-failure.ts';
import { showToast } from '#src/ui/toasts/toast-store.ts';
import { useOpenRoom } from '#src/ui/use-open-room.ts';

/**
 * The element that gets the focus once the pressed button is gone; no field on a touch device,
 * because it would open the keyboard.
 */
export const findNextFocus = (): HTMLElement | null =>
  document.querySelector(isTouch() ? '[role="region"][aria-label="Messages"]' : 'textarea');

/** Deletes an unsent message; the toast can put its text back into the composer. */
export const useDelete = (id: string, text: string): (() => Promise<void>) => {
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
