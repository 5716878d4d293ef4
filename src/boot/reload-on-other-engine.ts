import type { AppError } from '#domain/errors.ts';
import type { Realtime } from '#domain/ports/network.ts';

import { mayReload, reloadFor } from './throttled-reload.ts';

export interface EngineCheckNeeds {
  /** Whether the server names another engine than the one in use. */
  readonly isOther: () => Promise<boolean>;
  /** Makes the page ready to go; false where something would be lost. */
  readonly prepareReload: () => Promise<boolean>;
}

/** Somebody answered, and not as this engine does to those it knows. */
const isStrange = ({ kind }: AppError): boolean =>
  kind === 'rejected' || kind === 'malformed' || kind === 'forbidden';

/**
 * A page that is open while the service takes another engine would ask the old one for ever.
 * The value looks whether it is so and reloads the page then, once a minute at most.
 */
export const createEngineCheck =
  ({ isOther, prepareReload }: EngineCheckNeeds) =>
  async (): Promise<void> => {
    if (!mayReload('engine') || !(await isOther())) return;
    if (await prepareReload()) reloadFor('engine');
  };

/** Calls `onStrange` when a stream of the engine ends on a strange answer. */
export const watchStreamEnds = (engine: Realtime, onStrange: () => void): Realtime => ({
  ...engine,
  openStream: (cursor, onSignal) =>
    engine.openStream(cursor, (signal) => {
      if (signal.type === 'ended' && isStrange(signal.error)) onStrange();
      onSignal(signal);
    }),
});
