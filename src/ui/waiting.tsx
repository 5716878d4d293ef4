import { type ReactNode, useEffect, useState } from 'react';

import { SKELETON_DELAY_MS } from '#domain/limits.ts';

import classes from './waiting.module.css';

/** Shows its children only once the wait has become noticeable. */
export const Delayed = ({ children }: { readonly children: ReactNode }) => {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return shown ? children : undefined;
};

/** Something is in progress; `size` in CSS pixels. Announced only with a `label`. */
export const Spinner = ({ size, label }: { readonly size: number; readonly label?: string }) => (
  <span
    className={classes['root']}
    style={{ width: size, height: size }}
    {...(label === undefined ? { 'aria-hidden': true } : { role: 'status', 'aria-label': label })}
  />
);

/** In place of content that has not arrived, once that is noticeable. */
export const Loading = ({ size = 22 }: { readonly size?: number }) => (
  <div className={classes['page']}>
    <Delayed>
      <Spinner size={size} label="Loading" />
    </Delayed>
  </div>
);
