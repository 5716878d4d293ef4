import { configure } from '@testing-library/react';

import { WAIT_MS_MAX } from './wait-for.ts';

/** How long a query waits for a missing element: a busy machine must not fail a test. */
configure({ asyncUtilTimeout: WAIT_MS_MAX });
