import { config } from 'zod/mini';

// The content security policy allows no code made at run time.
config({ jitless: true });
