import { deferredComponent } from '#src/ui/deferred/deferred-component.tsx';
import { useToasts } from './toast-store.ts';
import classes from './toasts.module.css';

/** If it cannot be loaded, the next toast tries again. */
const ToastCards = deferredComponent(() => import('./toast-cards.tsx'));

/**
 * All toasts: errors at the top, others at the bottom (spec §9). Both stacks are always there,
 * because a screen reader announces only what is added to a status that it knows.
 */
export const Toasts = () => {
  const toasts = useToasts();
  return (['error', 'info'] as const).map((stack) => {
    const shown = toasts.filter(({ kind }) => (kind === 'error') === (stack === 'error'));
    return (
      <div
        key={stack}
        className={classes['stack']}
        data-kind={stack}
        role={stack === 'info' ? 'status' : undefined}
        aria-atomic={false}
      >
        {shown.length > 0 && <ToastCards toasts={shown} />}
      </div>
    );
  });
};
