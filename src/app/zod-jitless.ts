import { config } from 'zod/mini';

// The content security policy forbids code generated at run time.
config({ jitless: true });
