import { MOD_KEY } from '#src/ui/key-names.ts';

import classes from './composer.module.css';

/** Keyboard hints, shown where there is a keyboard. */
export const ComposerHint = () => (
  <>
    <kbd>Enter</kbd> to send, <kbd>Shift</kbd> + <kbd>Enter</kbd> for a new line
    <span className={classes['shortcuts']}>
      <kbd>{MOD_KEY}</kbd> + <kbd>/</kbd> for all shortcuts
    </span>
  </>
);
