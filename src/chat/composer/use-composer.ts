import { type RefObject, useEffect, useState } from 'react';

import type { AppError } from '#domain/errors.ts';
import { fail, type Result } from '#domain/result.ts';

import { isSendableText } from '#domain/text/sendable-text.ts';

import { keepsFirst, toRemainder } from './composer-text.ts';
import { getDraft, useDraft } from '#src/drafts/drafts.ts';

interface Flight {
  readonly sent: string;
  intact: boolean;
  /** Enter was pressed again meanwhile. */
  again: boolean;
}

/** Texts being accepted, by draft: the user may leave a room and open it again meanwhile. */
const flights = new Map<string, Flight>();

/** Records edits of the text that is being accepted. */
const useEditWatch = (field: RefObject<HTMLTextAreaElement | null>, draftKey: string): void => {
  useEffect(() => {
    const element = field.current;
    if (element === null) return undefined;
    const watch = (event: InputEvent): void => {
      const current = flights.get(draftKey);
      if (current === undefined) return;
      const { selectionStart: start, selectionEnd: end } = element;
      const { inputType } = event;
      if (!keepsFirst(current.sent.length, { start, end, inputType })) current.intact = false;
    };
    element.addEventListener('beforeinput', watch);
    return () => element.removeEventListener('beforeinput', watch);
  }, [field, draftKey]);
};

/** A throw counts as a refusal: the text stays, and the user can send again. */
const sendSafely = async (
  send: (text: string) => Promise<Result<string, AppError>>,
  text: string,
): Promise<Result<string, AppError>> => {
  try {
    return await send(text);
  } catch (error) {
    return fail({ kind: 'storage', detail: String(error) });
  }
};

/**
 * The text of one room's composer. `submit` sends it; it leaves the field only after `send`
 * resolved (the commit), and stays with a reason if it was refused. Text typed meanwhile stays.
 */
export const useComposer = (
  draftKey: string,
  field: RefObject<HTMLTextAreaElement | null>,
  send: (text: string) => Promise<Result<string, AppError>>,
) => {
  const [text, setText] = useDraft(draftKey);
  const [refusal, setRefusal] = useState<AppError | undefined>();
  useEditWatch(field, draftKey);

  const submit = async (): Promise<void> => {
    const sent = getDraft(draftKey);
    if (!isSendableText(sent)) return;
    const under = flights.get(draftKey);
    if (under !== undefined) {
      under.again = true;
      return;
    }
    const current: Flight = { sent, intact: true, again: false };
    flights.set(draftKey, current);
    const result = await sendSafely(send, sent);
    flights.delete(draftKey);
    setRefusal(result.ok ? undefined : result.error);
    if (!result.ok) return;
    setText(toRemainder(sent, getDraft(draftKey), current.intact));
    if (current.again) await submit();
  };

  const change = (next: string): void => {
    setText(next);
    setRefusal(undefined);
  };
  return { text, change, submit, refusal };
};
