import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { IconSend2 } from '@tabler/icons-react';

import type { AppError } from '#domain/errors.ts';
import { fail, type Result } from '#domain/result.ts';
import { getDraft, useDraft } from '#src/drafts/drafts.ts';
import { isTouch, MOD_KEY } from '#src/ui/key-names.ts';
import { lazyComponent } from '#src/ui/lazy-component.tsx';

import classes from './composer.module.css';
import { isSendableText, isSendKey, keepsFirst, toRemainder } from './composer-text.ts';

/** Few texts are refused. Without its chunk the text still stays in the field. */
const Refusal = lazyComponent(
  () => import('./refusal.tsx'),
  () => null,
);

/**
 * More characters than six rows hold; without a limit, a hidden megabyte would be laid out at every
 * key.
 */
const COPY_LENGTH_MAX = 4000;

/** One to six rows; a hidden copy of the text sets the height (`data-copy`, see the style). */
const Field = ({
  field,
  hint,
  text,
  onChange,
  onSubmit,
}: {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly hint: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
}) => {
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (!isSendKey(event.nativeEvent, isTouch())) return;
    event.preventDefault();
    onSubmit();
  };
  return (
    <div className={classes['grow']} data-copy={text.slice(0, COPY_LENGTH_MAX)}>
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        className={classes['field']}
        aria-label="Message"
        placeholder={hint}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
};

const SendButton = ({ ready }: { readonly ready: boolean }) => (
  <button
    type="submit"
    className={classes['send']}
    data-ready={ready || undefined}
    aria-label="Send"
    // The field keeps the focus, and phones their keyboard.
    onPointerDown={(event) => event.preventDefault()}
  >
    <IconSend2 size={20} stroke={1.8} aria-hidden />
  </button>
);

/** Keyboard hints, shown where there is a keyboard. */
const ComposerHint = () => (
  <>
    <kbd>Enter</kbd> to send, <kbd>Shift</kbd> + <kbd>Enter</kbd> for a new line
    <span className={classes['shortcuts']}>
      <kbd>{MOD_KEY}</kbd> + <kbd>/</kbd> for all shortcuts
    </span>
  </>
);

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
const useComposer = (
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

/** Message field and Send. `place` names the room, `draftKey` its draft. */
export const Composer = ({
  place,
  description,
  draftKey,
  send,
}: {
  readonly place: string;
  readonly description?: string | undefined;
  readonly draftKey: string;
  readonly send: (text: string) => Promise<Result<string, AppError>>;
}) => {
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, change, submit, refusal } = useComposer(draftKey, field, send);
  useEffect(() => {
    if (!isTouch()) field.current?.focus({ preventScroll: true });
  }, []);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void submit();
  };
  return (
    <form className={classes['root']} onSubmit={onSubmit}>
      {refusal !== undefined && <Refusal error={refusal} />}
      <div className={classes['box']}>
        <Field
          field={field}
          hint={`Message ${place}${description === undefined ? '' : ` (${description})`}`}
          text={text}
          onChange={change}
          onSubmit={() => void submit()}
        />
        <SendButton ready={isSendableText(text)} />
      </div>
      <p className={classes['hint']}>
        <ComposerHint />
      </p>
    </form>
  );
};
