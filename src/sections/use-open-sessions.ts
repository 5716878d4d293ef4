import { useCallback, useEffect, useRef, useState } from 'react';

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

export interface OpenSessionsView {
  /** The last list; undefined until one arrived. Never stored on the device. */
  readonly list: OpenSessions | undefined;
  /** The last failure, with its reason. */
  readonly failure: Failure | undefined;
  /** The handle of the session that is being ended, or `others`. */
  readonly ending: string | undefined;
  reload(): void;
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

type Kind = ConnectionView['kind'];

/**
 * The number of loads that are due so far: at the start or once the network returns, and on every
 * reconnect. The first connection after a load that began with it needs no other.
 */
const useDueLoads = (kind: Kind): number => {
  const isOffline = kind === 'offline';
  const [last, setLast] = useState({ kind, isLoaded: !isOffline, loads: isOffline ? 0 : 1 });
  if (kind === last.kind) return last.loads;
  const isFirst = last.kind === 'connecting' && last.isLoaded;
  const isDue = !isOffline && (last.kind === 'offline' || (kind === 'online' && !isFirst));
  const loads = last.loads + (isDue ? 1 : 0);
  setLast({ kind, isLoaded: isDue, loads });
  return loads;
};

/** The list, requested when the page opens and on every reconnect, and the last failure. */
const useList = (openApi: OpenApi, kind: Kind, onUnauthenticated: () => void) => {
  const [list, setList] = useState<OpenSessions | undefined>();
  const [failure, setFailure] = useState<Failure | undefined>();
  const readSignal = useLifetime();
  const lastLoad = useRef(0);
  const showFailure = useCallback(
    (next: Failure | undefined): void => {
      if (readSignal().aborted) return;
      setFailure(next);
      if (next?.error.kind === 'unauthenticated') onUnauthenticated();
    },
    [readSignal, onUnauthenticated],
  );
  const load = useCallback((): Promise<void> => {
    const signal = readSignal();
    lastLoad.current += 1;
    const request = lastLoad.current;
    return callApi(openApi, (api) => api.list(signal)).then((answer) => {
      // A request from before an outage may end after the one that followed it.
      if (signal.aborted || request !== lastLoad.current) return;
      if (answer.ok) setList(answer.value);
      showFailure(answer.ok ? undefined : { action: 'load', error: answer.error });
    });
  }, [readSignal, openApi, showFailure]);
  const due = useDueLoads(kind);
  useEffect(() => {
    if (due > 0) void load();
  }, [due, load]);
  return { list, failure, readSignal, showFailure, load };
};

/** The sessions of the user, and the calls that end them. */
export const useOpenSessions = (
  openApi: OpenApi,
  kind: Kind,
  onUnauthenticated: () => void,
): OpenSessionsView => {
  const { list, failure, readSignal, showFailure, load } = useList(
    openApi,
    kind,
    onUnauthenticated,
  );
  const [ending, setEnding] = useState<string | undefined>();
  const run = async (
    name: string,
    call: (api: OpenSessionsApi, signal: AbortSignal) => Promise<Result<void, AppError>>,
  ): Promise<void> => {
    setEnding(name);
    const answer = await callApi(openApi, (api) => call(api, readSignal()));
    if (answer.ok) await load();
    else showFailure({ action: 'end', error: answer.error });
    setEnding(undefined);
  };
  return {
    list,
    failure,
    ending,
    reload: () => {
      showFailure(undefined);
      void load();
    },
    end: (handle) => void run(handle, (api, signal) => api.end(handle, signal)),
    endOthers: () => void run('others', (api, signal) => api.endOthers(signal)),
  };
};
