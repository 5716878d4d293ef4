import type { AppError } from '#domain/errors.ts';
import type { Realtime } from '#domain/ports.ts';

import { mayReload, reloadFor } from './spaced-reload.ts';

/** Somebody answered, and not as this engine does to those it knows. */
const isStrange = ({ kind }: AppError): boolean =>
  kind === 'rejected' || kind === 'malformed' || kind === 'forbidden';

/**
 * A page that is open while the service takes another engine would ask the old one for ever.
 * When a stream ends on a strange answer and `isOther` finds that the server names another
 * engine now, the page reloads, once a minute at most; what is typed is stored as it is typed.
 */
export const reloadOnOtherEngine = (
  engine: Realtime,
  isOther: () => Promise<boolean>,
): Realtime => {
  const check = async (): Promise<void> => {
    if (mayReload('engine') && (await isOther())) reloadFor('engine');
  };
  return {
    ...engine,
    openStream: (cursor, onSignal) =>
      engine.openStream(cursor, (signal) => {
        if (signal.type === 'ended' && isStrange(signal.error)) void check();
        onSignal(signal);
      }),
  };
};
