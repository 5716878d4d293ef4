import { type RefObject, useEffect, useRef, useState } from 'react';

import type { AppError } from '#domain/errors.ts';
import type { Result } from '#domain/result.ts';

import { isSendableText } from '#domain/rules/sendable-text.ts';

import { keepsFirst, toRefusalText, toRemainder } from './composer-text.ts';
import { getDraft, useDraft } from './drafts.ts';

interface Flight {
  readonly sent: string;
  intact: boolean;
  /** Enter was pressed again meanwhile. */
  again: boolean;
}

/** Notices edits of the text that is being accepted. */
const useEditWatch = (
  field: RefObject<HTMLTextAreaElement | null>,
  flight: RefObject<Flight | undefined>,
): void => {
  useEffect(() => {
    const element = field.current;
    if (element === null) return undefined;
    const watch = (event: InputEvent): void => {
      const { current } = flight;
      if (current === undefined) return;
      const { selectionStart: start, selectionEnd: end } = element;
      const { inputType } = event;
      if (!keepsFirst(current.sent.length, { start, end, inputType })) current.intact = false;
    };
    element.addEventListener('beforeinput', watch);
    return () => element.removeEventListener('beforeinput', watch);
  }, [field, flight]);
};

/**
 * The text of one room's composer. `submit` hands it over; it leaves the field only after
 * `send` resolved (the commit), and stays with a reason when it was refused. What is typed
 * meanwhile stays.
 */
export const useComposer = (
  draftKey: string,
  field: RefObject<HTMLTextAreaElement | null>,
  send: (text: string) => Promise<Result<string, AppError>>,
) => {
  const [text, setText] = useDraft(draftKey);
  const [refusal, setRefusal] = useState<string | undefined>();
  const flight = useRef<Flight | undefined>(undefined);
  useEditWatch(field, flight);

  const submit = async (): Promise<void> => {
    const sent = getDraft(draftKey);
    if (!isSendableText(sent)) return;
    if (flight.current !== undefined) {
      flight.current.again = true;
      return;
    }
    const current: Flight = { sent, intact: true, again: false };
    flight.current = current;
    const result = await send(sent);
    flight.current = undefined;
    setRefusal(result.ok ? undefined : toRefusalText(result.error));
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
