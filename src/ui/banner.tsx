import type { ReactNode } from 'react';
import { IconAlertCircle } from '@tabler/icons-react';

import { TEXTS } from '#domain/errors.ts';

import classes from './banner.module.css';

/** Error banner (spec §8): default title "Error occurred!", an action beside the alert. */
export const Banner = ({
  text,
  title = TEXTS.title,
  children,
}: {
  readonly text: string;
  readonly title?: string;
  readonly children?: ReactNode;
}) => (
  <div className={classes['root']}>
    <IconAlertCircle className={classes['icon']} size={20} aria-hidden />
    <div role="alert" className={classes['body']}>
      <p className={classes['title']}>{title}</p>
      <p className={classes['text']}>{text}</p>
    </div>
    {children}
  </div>
);
