import type { Unsubscribe } from '#domain/ports/kit.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Realtime } from '#domain/ports/network.ts';
import type { Store } from '#domain/ports/storage.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';
import type { Summaries } from '#db/read/summary-model.ts';
import { createWholeApp } from '#tests/support/machines/whole-app.ts';

/** An answer that is kept up to date; undefined until there is one. */
interface Live<T> {
  readonly get: () => T | undefined;
  readonly watch: (listener: () => void) => Unsubscribe;
}

/** The figures on a screen. */
export interface Figures {
  readonly unread: Live<UnreadByRoom>;
  readonly summaries: Live<Summaries>;
}

/**
 * A variant of the program: the real one, or one broken on purpose by wrapping its ports or
 * providing other actors. The product itself does not contain it.
 */
export interface Mutation {
  readonly name: string;
  readonly wrapStore: (store: Store) => Store;
  readonly wrapRealtime: (realtime: Realtime, ports: Pick<Ports, 'ids'>) => Realtime;
  readonly createApp: typeof createWholeApp;
  readonly wrapFigures: (figures: Figures) => Figures;
  /** The composer is cleared at the key press, not after the commit. */
  readonly clearsEarly: boolean;
}

/** The unchanged program. */
export const UNBROKEN: Mutation = {
  name: 'none',
  wrapStore: (store) => store,
  wrapRealtime: (realtime) => realtime,
  createApp: createWholeApp,
  wrapFigures: (figures) => figures,
  clearsEarly: false,
};
