import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';

import type { AppError } from '#domain/errors.ts';
import type { OpenSessionsApi } from '#domain/ports/network.ts';
import { fail, type Result } from '#domain/result.ts';
import type { OpenSessions } from '#domain/schemas/open-session.ts';
import type { ConnectionView } from '#src/actors/desk.ts';

/** Loads with the page that needs it; rejects if that part cannot be loaded. */
export type OpenApi = () => Promise<OpenSessionsApi>;

export interface Failure {
  readonly action: 'load' | 'end';
  readonly error: AppError;
}

/** The last error of each action that has not succeeded since. */
type Errors = Partial<Readonly<Record<Failure['action'], AppError | undefined>>>;

/** A session that could not be ended is still open, whether the list loads or not. */
const toFailure = ({ end, load }: Errors): Failure | undefined => {
  if (end !== undefined) return { action: 'end', error: end };
  return load && { action: 'load', error: load };
};

export interface OpenSessionsView {
  /** The last list; undefined until one arrived. Never stored on the device. */
  readonly list: OpenSessions | undefined;
  /** The failure to show, with its reason. */
  readonly failure: Failure | undefined;
  /** The handle of the session that is being ended, or `others`. */
  readonly ending: string | undefined;
  /** Tries again what failed; no effect while a session is being ended again. */
  readonly retry: () => void;
  end(handle: string): void;
  endOthers(): void;
}

/** Returns the signal that is aborted when the page unmounts. */
const useLifetime = (): (() => AbortSignal) => {
  const lifetime = useRef(new AbortController());
  useEffect(() => {
    lifetime.current = new AbortController();
    const { current } = lifetime;
    return () => current.abort();
  }, []);
  return useCallback(() => lifetime.current.signal, []);
};

/** A part that cannot be loaded is an unreachable server, as in lazy-realtime.ts. */
const callApi = async <T>(
  openApi: OpenApi,
  call: (api: OpenSessionsApi) => Promise<Result<T, AppError>>,
): Promise<Result<T, AppError>> => {
  const api = await openApi().catch(() => undefined);
  return api === undefined ? fail({ kind: 'unreachable' }) : call(api);
};

/**
 * The list, and the errors. Requested when the page opens and when the network returns, and
 * after a failure when the connection is back.
 */
const useList = (openApi: OpenApi, kind: ConnectionView['kind'], onUnauthenticated: () => void) => {
  const [list, setList] = useState<OpenSessions | undefined>();
  const [errors, setErrors] = useState<Errors>({});
  const readSignal = useLifetime();
  const showError = useCallback(
    (action: Failure['action'], error: AppError | undefined): void => {
      if (readSignal().aborted) return;
      setErrors((last) => ({ ...last, [action]: error }));
      if (error?.kind === 'unauthenticated') onUnauthenticated();
    },
    [readSignal, onUnauthenticated],
  );
  const loads = useRef(0);
  const load = useCallback((): Promise<void> => {
    const signal = readSignal();
    const number = (loads.current += 1);
    return callApi(openApi, (api) => api.list(signal)).then((answer) => {
      // Of several answers, only that to the last request is known to be current.
      if (signal.aborted || number !== loads.current) return;
      if (answer.ok) setList(answer.value);
      showError('load', answer.ok ? undefined : answer.error);
    });
  }, [readSignal, openApi, showError]);
  const isOffline = kind === 'offline';
  useEffect(() => {
    if (!isOffline) void load();
  }, [isOffline, load]);
  const isOnline = kind === 'online';
  const loadAgain = useEffectEvent(() => {
    if (errors.load !== undefined) void load();
  });
  useEffect(() => {
    if (isOnline) loadAgain();
  }, [isOnline]);
  return { list, errors, readSignal, showError, load };
};

/** The sessions of the user, and the calls that end them. */
export const useOpenSessions = (
  openApi: OpenApi,
  kind: ConnectionView['kind'],
  onUnauthenticated: () => void,
): OpenSessionsView => {
  const { list, errors, readSignal, showError, load } = useList(openApi, kind, onUnauthenticated);
  const [ending, setEnding] = useState<string | undefined>();
  /** Repeats the last attempt to end sessions. */
  const repeat = useRef<(() => void) | undefined>(undefined);
  const run = async (
    name: string,
    call: (api: OpenSessionsApi, signal: AbortSignal) => Promise<Result<void, AppError>>,
  ): Promise<void> => {
    repeat.current = () => void run(name, call);
    setEnding(name);
    const answer = await callApi(openApi, (api) => call(api, readSignal()));
    showError('end', answer.ok ? undefined : answer.error);
    if (answer.ok) await load();
    setEnding(undefined);
  };
  return {
    list,
    failure: toFailure(errors),
    ending,
    retry: () => {
      if (errors.end !== undefined) return ending === undefined ? repeat.current?.() : undefined;
      showError('load', undefined);
      void load();
    },
    end: (handle) => void run(handle, (api, signal) => api.end(handle, signal)),
    endOthers: () => void run('others', (api, signal) => api.endOthers(signal)),
  };
};
