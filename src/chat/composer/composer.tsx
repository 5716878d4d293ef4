import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { IconSend2 } from '@tabler/icons-react';

import type { AppError } from '#domain/errors.ts';
import type { Result } from '#domain/result.ts';
import { isSendableText } from '#domain/text/sendable-text.ts';
import { lazyComponent } from '#src/ui/lazy-component.tsx';

import classes from './composer.module.css';
import { ComposerHint } from './composer-hint.tsx';
import { isSendKey } from './composer-text.ts';
import { useComposer } from './use-composer.ts';

/** Few texts are refused. Without its chunk the text still stays in the field. */
const Refusal = lazyComponent(
  () => import('./refusal.tsx'),
  () => null,
);

/** More than six rows contain: a hidden megabyte would be laid out at every key. */
const COPY_LENGTH_MAX = 4000;

const TOUCH = '(hover: none) and (pointer: coarse)';

const isTouch = (): boolean => window.matchMedia(TOUCH).matches;

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
