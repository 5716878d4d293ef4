import { IconBellOff } from '@tabler/icons-react';

import classes from './muted-mark.module.css';

const ICON_PX = 14;

/** Beside the name of a client or a room about whose messages there are no notifications. */
export const MUTED_MARK = <IconBellOff className={classes['mark']} size={ICON_PX} aria-hidden />;
