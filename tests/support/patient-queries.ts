import { configure } from '@testing-library/react';

import { WAIT_MS_MAX } from './wait-for.ts';

/** How long a query waits for what is not there yet: a busy machine is no verdict. */
configure({ asyncUtilTimeout: WAIT_MS_MAX });
