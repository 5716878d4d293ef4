import { createPortal } from 'react-dom';

import { usePageFrame } from '#src/ui/page-frame.ts';

import classes from './bar-title.module.css';

/** The name of the page in the bar of phones; renders nothing without that bar. */
export const BarTitle = ({
  title,
  detail,
}: {
  readonly title: string;
  readonly detail?: string;
}) => {
  const { bar } = usePageFrame();
  return (
    bar &&
    createPortal(
      <p className={classes['root']}>
        <span className={classes['title']}>{title}</span>
        {detail && <span className={classes['detail']}>{detail}</span>}
      </p>,
      bar,
    )
  );
};
