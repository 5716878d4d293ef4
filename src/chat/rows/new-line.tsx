import classes from './new-line.module.css';

/** Shown above the first message that is new to the reader. */
export const NewLine = () => (
  <div role="separator" aria-label="New messages" className={classes['root']}>
    New
  </div>
);
