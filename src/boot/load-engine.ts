import { bindReplicaToEngine } from '#db/log/bind-replica.ts';
import { findEngine } from '#db/log/engine.ts';
import { attempt } from '#db/schema/storage-errors.ts';
import type { UserStore } from '#db/user/user-store.ts';
import { watch } from '#db/read/watch.ts';
import type { AppError } from '#domain/errors.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { Realtime } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { PublicConfig } from '#domain/schemas/config.ts';
import {
  createEmbeddedRealtime,
  type EmbeddedRealtimeNeeds,
} from '#src/adapters/embedded/embedded-realtime.ts';
import { createPublicConfig, type PublicConfigSource } from '#src/adapters/http/public-config.ts';

import { renewShellFor } from './renew-shell.ts';
import { mayReload, reloadFor } from './throttled-reload.ts';

/** How often the server is asked which engine it serves while nothing hints at a change, ms. */
const CHECK_EVERY_MS = 300_000;

/** A store that could not be turned to the engine is turned after this, ms. */
const ADOPT_RETRY_MS = 1000;

/** Has a store know whose log it replicates. */
type Adopt = (store: UserStore) => Promise<Result<void, AppError>>;

/** Who uses the engine; the engine says what to do with every store that is opened later. */
export interface EngineUser {
  uid?: string;
  store?: UserStore;
  adopt?: Adopt;
  /** Makes the page ready for a reload; false where something would be lost by it. */
  prepareReload?: () => Promise<boolean>;
}

export interface EngineNeeds extends Omit<EmbeddedRealtimeNeeds, 'findTemplate' | 'findUid'> {
  readonly publicConfig: PublicConfigSource;
  readonly user: EngineUser;
}

/** Whose log it is: of a keyset, each template has channels, and so histories, of its own. */
export const toEngineName = (config: PublicConfig): string =>
  config.engine === 'hosted'
    ? `hosted ${config.subscribeKey} ${config.channelTemplate}`
    : config.engine;

/**
 * Turns stores to this engine; `onOther` is called when another tab turns one to another. A
 * store that could not be turned takes nothing in from any log: that is logged, and tried
 * again until it is done or the store is closed.
 */
export const createAdopt = (name: string, log: ClientLog, onOther: () => void): Adopt => {
  const watched = new WeakSet<object>();
  const follow = (database: UserStore['database']): void => {
    if (watched.has(database)) return;
    watched.add(database);
    const find = () => findEngine(database);
    watch(database, find, (current) => {
      if (current !== name) onOther();
    });
  };
  const adopt: Adopt = async (store) => {
    const { database } = store;
    const adopted = await attempt(database, () => bindReplicaToEngine(database, name));
    if (adopted.ok) follow(database);
    else if (!database.isEnded) {
      log.write('error', 'ENGINE_NOT_ADOPTED', { kind: adopted.error.kind });
      const timer = setTimeout(() => void adopt(store), ADOPT_RETRY_MS);
      database.onEnd(() => clearTimeout(timer));
    }
    return adopted;
  };
  return adopt;
};

const PAINT = 'first-contentful-paint';
/** A page that is not painted by then has other troubles, or is not looked at. */
const PATIENCE_MS = 3000;

/** Resolves once something is on the screen; at once in a page that nobody sees. */
const waitForFirstPaint = (): Promise<void> =>
  new Promise((resolve) => {
    const isPainted = performance.getEntriesByName(PAINT).length > 0;
    if (isPainted || document.visibilityState === 'hidden') {
      resolve();
      return;
    }
    const finish = (): void => {
      clearTimeout(timer);
      observer.disconnect();
      resolve();
    };
    const observer = new PerformanceObserver((list) => {
      if (list.getEntriesByName(PAINT).length > 0) finish();
    });
    const timer = setTimeout(finish, PATIENCE_MS);
    observer.observe({ type: 'paint', buffered: true });
  });

/**
 * The hosted one brings its SDK, which is larger than the rest of the page: it waits until
 * something is on the screen.
 */
const createEngine = async (needs: EngineNeeds, config: PublicConfig): Promise<Realtime> => {
  const findUid = () => needs.user.uid;
  if (config.engine === 'embedded') {
    const findTemplate = () => Promise.resolve(ok(config.channelTemplate));
    return createEmbeddedRealtime({ ...needs, findUid, findTemplate });
  }
  if (config.origin) await renewShellFor(`${config.ssl ? 'https' : 'http'}://${config.origin}`);
  await waitForFirstPaint();
  const { createPubnubRealtime } = await import('#src/adapters/pubnub/pubnub-realtime.ts');
  return createPubnubRealtime({ ...needs, findUid, config });
};

interface EngineCheckNeeds {
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

/** The adapter of the engine that the server names, as long as it names that one. */
export const loadEngine = async (needs: EngineNeeds): Promise<Result<Realtime, AppError>> => {
  const answer = await needs.publicConfig.get();
  if (!answer.ok) {
    // Refused settings refuse no message.
    return answer.error.kind === 'rejected' ? fail({ kind: 'unreachable' }) : answer;
  }
  const config = answer.value;
  const { user, web } = needs;
  const name = toEngineName(config);
  const isOther = async (): Promise<boolean> => {
    const now = await createPublicConfig(web).get();
    return now.ok && toEngineName(now.value) !== name;
  };
  const check = createEngineCheck({
    isOther,
    prepareReload: async () => (await user.prepareReload?.()) ?? true,
  });
  const onOther = (): void => void check();
  user.adopt = createAdopt(name, needs.log, onOther);
  if (user.store && !(await user.adopt(user.store)).ok) return fail({ kind: 'unreachable' });
  const engine = await createEngine(needs, config);
  setInterval(onOther, CHECK_EVERY_MS);
  return ok(watchStreamEnds(engine, onOther));
};
