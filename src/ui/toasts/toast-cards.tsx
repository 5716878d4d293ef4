import { useEffect, useState } from 'react';
import { IconAlertCircle, IconCircleCheck, IconX } from '@tabler/icons-react';

import { TOAST_MS } from '#domain/limits.ts';
import { isDialogOpen } from '#src/ui/key-names.ts';

import { closeToast, type Toast } from './toast-store.ts';
import classes from './toast-cards.module.css';

const TICK_MS = 250;

/** What had the focus before a toast got it. */
let before: HTMLElement | null | undefined;

/** A ref: if the removed toast has the focus, `before` gets it, or else the content of the page. */
const returnFocus = (toast: HTMLElement | null) => (): void => {
  if (!toast?.querySelector(':focus')) return;
  document.querySelector('main')?.focus();
  // Without effect if it is no longer in the page.
  before?.focus();
};

/**
 * One toast: closes itself after 5 s (spec §9), or 10 s with an action, but not while hovered,
 * focused, or under a dialog.
 */
const ToastCard = ({ id, kind, text, action }: Toast) => {
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const held = isHovered || isFocused;
  // An action takes longer to read and to reach.
  const lifeMs = action ? 2 * TOAST_MS : TOAST_MS;
  useEffect(() => {
    if (held) return undefined;
    let leftMs = lifeMs;
    const timer = setInterval(() => {
      // A dialog covers it, and it cannot be pressed.
      if (!isDialogOpen()) leftMs -= TICK_MS;
      if (leftMs <= 0) closeToast(id);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [held, id, lifeMs]);
  const Icon = kind === 'info' ? IconCircleCheck : IconAlertCircle;
  return (
    <div
      ref={returnFocus}
      className={classes['toast']}
      role={kind === 'error' ? 'alert' : undefined}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={({ currentTarget, relatedTarget }) => {
        setFocused(true);
        if (!currentTarget.parentElement?.contains(relatedTarget))
          before = relatedTarget as HTMLElement | null;
      }}
      onBlur={() => setFocused(false)}
    >
      <Icon className={classes['icon']} size={20} aria-hidden />
      <p className={classes['text']}>{text}</p>
      {action && (
        <button
          type="button"
          className={classes['action']}
          onClick={() => {
            closeToast(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        className={classes['close']}
        aria-label="Close"
        onClick={() => closeToast(id)}
      >
        <IconX size={16} aria-hidden />
      </button>
    </div>
  );
};

/** The toasts of one stack. */
const ToastCards = ({ toasts }: { readonly toasts: readonly Toast[] }) =>
  toasts.map((toast) => <ToastCard key={toast.id} {...toast} />);

export default ToastCards;
