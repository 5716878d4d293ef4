import { configure } from '@testing-library/react';

/** How long a query waits for what is not there yet: a busy machine is no verdict. */
configure({ asyncUtilTimeout: 10_000 });
