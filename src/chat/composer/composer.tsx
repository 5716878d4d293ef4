import {
  type FormEvent,
  type KeyboardEvent,
  memo,
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
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';

import classes from './composer.module.css';
import { focusAtEnd } from './focus-at-end.ts';
import {
  countUntouched,
  isSendableText,
  isSendKey,
  joinQueue,
  toLines,
  type Waiting,
} from './composer-text.ts';

/** Few texts are refused. Without its chunk the text still stays in the field. */
const Refusal = lazyComponent(() => import('./refusal.tsx'), null);

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
    // A key that is held may have begun on a button, whose focus the field then got.
    if (!event.repeat) onSubmit();
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

/** Shown where there is a keyboard. */
const KEYBOARD_HINT = (
  <p className={classes['hint']}>
    <kbd>Enter</kbd> to send, <kbd>Shift</kbd> + <kbd>Enter</kbd> for a new line
    <span className={classes['shortcuts']}>
      <kbd>{MOD_KEY}</kbd> + <kbd>/</kbd> for all shortcuts
    </span>
  </p>
);

/**
 * The texts that wait, oldest first, by draft; the first one is being accepted. They stay in the
 * draft, at its start. The user may leave a room and open it again meanwhile.
 */
const queues = new Map<string, readonly Waiting[]>();

/** The texts that wait, unless the draft was deleted or replaced. */
const findQueue = (draftKey: string): readonly Waiting[] => {
  const queue = queues.get(draftKey) ?? [];
  return getDraft(draftKey).startsWith(joinQueue(queue)) ? queue : [];
};

/** Takes back the texts that an edit changed, even if it leaves the same text. */
const useEditWatch = (field: RefObject<HTMLTextAreaElement | null>, draftKey: string): void => {
  useEffect(() => {
    const element = field.current;
    if (element === null) return undefined;
    let caretBefore = 0;
    const note = (): void => {
      caretBefore = element.selectionStart;
    };
    const check = (): void => {
      const queue = queues.get(draftKey);
      if (queue === undefined) return;
      const caret = Math.min(caretBefore, element.selectionStart);
      queues.set(draftKey, queue.slice(0, countUntouched(queue, element.value, caret)));
    };
    const listening = new AbortController();
    element.addEventListener('beforeinput', note, listening);
    element.addEventListener('input', check, listening);
    return () => listening.abort();
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
 * Sends the texts that wait, one after the other; each leaves the draft once it was accepted. After
 * a refusal the others are not sent: all stay in the draft, each on its own line.
 */
const sendQueue = async (
  draftKey: string,
  send: (text: string) => Promise<Result<string, AppError>>,
  setDraft: (text: string) => void,
): Promise<AppError | undefined> => {
  let refusal: AppError | undefined;
  for (let [next] = findQueue(draftKey); next !== undefined; [next] = findQueue(draftKey)) {
    const result = await sendSafely(send, next.text);
    const queue = findQueue(draftKey);
    const draft = getDraft(draftKey);
    if (!result.ok) {
      refusal = result.error;
      setDraft(toLines(queue, draft));
      break;
    }
    if (queue[0] === next) {
      queues.set(draftKey, queue.slice(1));
      setDraft(draft.slice(next.text.length));
    }
  }
  queues.delete(draftKey);
  return refusal;
};

/**
 * The text of one room's composer. `submit` sends what was typed since the last one; it leaves the
 * field only after `send` resolved (the commit), and stays with a reason if it was refused.
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
    const queue = findQueue(draftKey);
    const added = getDraft(draftKey).slice(joinQueue(queue).length);
    if (!isSendableText(added)) return;
    const isSending = queues.has(draftKey);
    queues.set(draftKey, [...queue, { text: added }]);
    if (isSending) return;
    // The same refusal again is announced again.
    setRefusal(undefined);
    setRefusal(await sendQueue(draftKey, send, setText));
  };

  const change = (next: string): void => {
    setText(next);
    setRefusal(undefined);
  };
  return { text, change, submit, refusal };
};

/** Message field and Send. `draftKey` is the key of its draft. */
export const Composer = memo(
  ({
    roomName,
    description,
    draftKey,
    send,
  }: {
    readonly roomName: string;
    readonly description?: string | undefined;
    readonly draftKey: string;
    readonly send: (text: string) => Promise<Result<string, AppError>>;
  }) => {
    const field = useRef<HTMLTextAreaElement>(null);
    const { text, change, submit, refusal } = useComposer(draftKey, field, send);
    useEffect(() => {
      // A room may open late, while the user already searches for another client.
      if (!isTouch() && !document.activeElement?.closest('search')) focusAtEnd(field.current);
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
            hint={`Message ${roomName}${description === undefined ? '' : ` (${description})`}`}
            text={text}
            onChange={change}
            onSubmit={() => void submit()}
          />
          <button
            type="submit"
            className={classes['send']}
            data-ready={isSendableText(text) || undefined}
            aria-label="Send"
            // The field keeps the focus, and phones their keyboard.
            onPointerDown={(event) => event.preventDefault()}
          >
            <IconSend2 size={20} stroke={1.8} aria-hidden />
          </button>
        </div>
        {KEYBOARD_HINT}
      </form>
    );
  },
);
