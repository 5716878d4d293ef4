// The page loads these later; the virtual clock does not wait for them.
import '#machines/connection/catch-up.ts';
import '#machines/connection/stream-writer.ts';
import '#machines/sign-out/find-unsent.ts';
import '#machines/sign-out/restore-unsent.ts';
