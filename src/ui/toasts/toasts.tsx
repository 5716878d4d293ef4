import { type FocusEvent, useEffect, useRef, useState } from 'react';
import { IconAlertCircle, IconInfoCircle, IconX } from '@tabler/icons-react';

import { TOAST_MS } from '#domain/limits.ts';

import { closeToast, type Toast, useToasts } from './toast-store.ts';
import classes from './toasts.module.css';

/** One toast: closes itself after 5 s (spec §9), but not while hovered or focused. */
const ToastCard = ({ toast }: { readonly toast: Toast }) => {
  const { action } = toast;
  const [held, setHeld] = useState(false);
  const before = useRef<HTMLElement>(null);
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(() => closeToast(toast.id), TOAST_MS);
    return () => clearTimeout(timer);
  }, [held, toast.id]);
  const onFocus = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    setHeld(true);
    if (!currentTarget.contains(relatedTarget))
      before.current = relatedTarget as HTMLElement | null;
  };
  /** The focus returns to where it was before it entered the toast. */
  const close = (): void => {
    closeToast(toast.id);
    document.querySelector('main')?.focus();
    // Without effect if it is no longer in the page.
    before.current?.focus();
  };
  const Icon = toast.kind === 'error' ? IconAlertCircle : IconInfoCircle;
  return (
    <div
      className={classes['toast']}
      role={toast.kind === 'error' ? 'alert' : undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={onFocus}
      onBlur={() => setHeld(false)}
    >
      <Icon className={classes['icon']} size={20} aria-hidden />
      <p className={classes['text']}>{toast.text}</p>
      {action !== undefined && (
        <button
          type="button"
          className={classes['action']}
          onClick={() => {
            closeToast(toast.id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className={classes['close']} aria-label="Close" onClick={close}>
        <IconX size={16} aria-hidden />
      </button>
    </div>
  );
};

/** All toasts: errors at the top, others at the bottom (spec §9). */
export const Toasts = () => {
  const toasts = useToasts();
  return (['error', 'info'] as const).map((kind) => (
    <div
      key={kind}
      className={classes['stack']}
      data-kind={kind}
      role={kind === 'info' ? 'status' : undefined}
      aria-atomic={kind === 'error'}
    >
      {toasts
        .filter((toast) => toast.kind === kind)
        .map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
    </div>
  ));
};
