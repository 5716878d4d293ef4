import { bindReplicaToEngine } from '#db/user/bind-replica.ts';
import { findEngine } from '#db/log/fence.ts';
import { watch } from '#db/read/watch.ts';
import { attempt } from '#db/schema/storage-errors.ts';
import { META } from '#db/schema/tables.ts';
import { keepDescriptions } from '#db/user/room-descriptions.ts';
import type { UserStore } from '#db/user/user-store.ts';
import type { AppError } from '#domain/errors.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { Clock, Unsubscribe } from '#domain/ports/kit.ts';
import type { Realtime } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { PublicConfig } from '#domain/schemas/config.ts';
import type { EmbeddedRealtimeNeeds } from '#src/adapters/embedded/calls.ts';
import { createEmbeddedRealtime } from '#src/adapters/embedded/embedded-realtime.ts';
import { createPublicConfig, type PublicConfigSource } from '#src/adapters/http/public-config.ts';
import type { Web } from '#src/adapters/http/request-json.ts';
import { createTokenSource } from '#src/adapters/realtime/token.ts';

import { mayReload, reloadFor } from './throttled-reload.ts';

export interface EngineUser {
  uid?: string;
  store?: UserStore;
  /** Binds a store to the engine; present once the engine is known. */
  bind?: (store: UserStore) => Promise<Result<void, AppError>>;
  /** Ends the watch of the store's engine: loading may fail and be repeated. */
  unfollow?: Unsubscribe;
  /** Prepares the page for a reload; false if the reload would lose something. */
  prepareReload?: () => Promise<boolean>;
}

export interface EngineNeeds {
  readonly web: Web;
  readonly clock: Clock;
  readonly log: ClientLog;
  readonly publicConfig: PublicConfigSource;
  readonly user: EngineUser;
}

/** Name of a log: within a keyset, each template has its own channels and histories. */
export const toEngineName = (config: PublicConfig): string =>
  config.engine === 'hosted'
    ? `hosted ${config.subscribeKey} ${config.channelTemplate}`
    : config.engine;

const PAINT = 'first-contentful-paint';
/** A page that has not painted by then has other problems, or is hidden. */
const WAIT_MS = 3000;

/** Resolves once the page has painted; at once in a hidden page. */
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
    const timer = setTimeout(finish, WAIT_MS);
    observer.observe({ type: 'paint', buffered: true });
  });

/** Finds the template of the embedded engine's channels: `first` until a channel is suspect. */
const createTemplateSource = (web: Web, first: string): EmbeddedRealtimeNeeds['findTemplate'] => {
  let template = first;
  return async (isSuspect) => {
    if (!isSuspect) return ok(template);
    const now = await createPublicConfig(web).get();
    if (!now.ok) return now;
    // Another engine: the page reloads.
    if (now.value.engine !== 'embedded') return fail({ kind: 'unreachable' });
    template = now.value.channelTemplate;
    return ok(template);
  };
};

/**
 * The hosted engine brings its SDK, which is larger than the rest of the page: it waits for the
 * first paint.
 */
const createEngine = async (needs: EngineNeeds, config: PublicConfig): Promise<Realtime> => {
  const findUid = () => needs.user.uid;
  if (config.engine === 'embedded') {
    const findTemplate = createTemplateSource(needs.web, config.channelTemplate);
    const tokens = createTokenSource(needs.web, needs.clock, findUid);
    return createEmbeddedRealtime({ ...needs, tokens, findTemplate });
  }
  const { renewShellFor } = await import('./renew-shell.ts');
  await renewShellFor(`${config.ssl ? 'https' : 'http'}://${config.origin}`);
  await waitForFirstPaint();
  const { createPubnubRealtime } = await import('#src/adapters/pubnub/pubnub-realtime.ts');
  return createPubnubRealtime({ ...needs, findUid, config });
};

/** Another service answered, or this engine no longer accepts the caller. */
const isForeignResponse = ({ kind }: AppError): boolean =>
  kind === 'rejected' || kind === 'malformed' || kind === 'forbidden';

/** Calls `onForeignResponse` when a stream of the engine ends with such a response. */
export const watchStreamEnds = (engine: Realtime, onForeignResponse: () => void): Realtime => ({
  ...engine,
  openStream: (cursor, onSignal) =>
    engine.openStream(cursor, (signal) => {
      if (signal.type === 'ended' && isForeignResponse(signal.error)) onForeignResponse();
      onSignal(signal);
    }),
});

/** True if the coverage of another engine's log was cleared. */
const bindTo = (name: string, { database }: UserStore): Promise<Result<boolean, AppError>> =>
  attempt(database, () => bindReplicaToEngine(database, name));

/** Reloads for another engine, at most once a minute and never if that would lose data. */
const reload = async (user: EngineUser, before?: () => Promise<unknown>): Promise<void> => {
  if (!mayReload('engine') || (await user.prepareReload?.()) === false) return;
  await before?.();
  reloadFor('engine');
  // The page is being replaced: no earlier read may continue.
  await new Promise(() => undefined);
};

/**
 * The adapter of the engine that the server uses. If a store replicated another engine's log, its
 * coverage is cleared and the page reloads once. An open page notices the change when its stream
 * ends with an answer that its own engine does not give, or when another tab has noticed it.
 */
export const loadEngine = async (needs: EngineNeeds): Promise<Result<Realtime, AppError>> => {
  const answer = await needs.publicConfig.get();
  if (!answer.ok) {
    // A refused request for the settings does not mean that messages are refused.
    return answer.error.kind === 'rejected' ? fail({ kind: 'unreachable' }) : answer;
  }
  const config = answer.value;
  const { user, web } = needs;
  const name = toEngineName(config);
  /** A tab without a stream detects another engine when another tab binds their store to it. */
  const follow = (store: UserStore): void => {
    const findName = () => findEngine(store.database);
    user.unfollow?.();
    user.unfollow = watch(store.database, { meta: [META.engine] }, findName, (current) => {
      if (current !== name) void checkEngine();
    });
  };
  let engine: Realtime | undefined;
  user.bind = async (store) => {
    // The token of an earlier sign-in ended with it.
    engine?.renewToken();
    store.database.engine = name;
    const cleared = await bindTo(name, store);
    if (!cleared.ok) return cleared;
    if (cleared.value) await reload(user);
    follow(store);
    void keepDescriptions(store.database, config.roomDescriptions ?? {});
    return ok(undefined);
  };
  const checkEngine = async (): Promise<void> => {
    const { store } = user;
    if (store === undefined || !mayReload('engine')) return;
    const now = await createPublicConfig(web).get();
    const next = now.ok ? toEngineName(now.value) : name;
    // The store is bound before the reload, so that the next page does not reload again.
    if (next !== name) await reload(user, () => bindTo(next, store));
  };
  if (user.store && !(await user.bind(user.store)).ok) return fail({ kind: 'unreachable' });
  engine = watchStreamEnds(await createEngine(needs, config), () => void checkEngine());
  return ok(engine);
};
