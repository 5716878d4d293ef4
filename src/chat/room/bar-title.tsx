import { createPortal } from 'react-dom';

import classes from './bar-title.module.css';

/** The name of the page in the bar of phones; renders nothing without that bar. */
export const BarTitle = ({
  bar,
  title,
  detail,
}: {
  readonly bar: HTMLElement | null;
  readonly title: string;
  readonly detail?: string;
}) =>
  bar &&
  createPortal(
    <p className={classes['root']}>
      <span className={classes['title']}>{title}</span>
      {detail && <span className={classes['detail']}>{detail}</span>}
    </p>,
    bar,
  );
