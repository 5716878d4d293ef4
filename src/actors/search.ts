import { useEffect, useId, useMemo, useState } from 'react';

import { useProducers, useTeams } from '#db/hooks/use-stored.ts';
import { useStore } from '#db/hooks/store-context.ts';
import { useDone } from '#db/hooks/use-summaries.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import type { DashboardFigures, FiguresQuery } from '#domain/dashboard/figures.ts';
import { oncePer } from '#domain/once-per.ts';
import type { PeriodDays } from '#domain/schemas/dashboard.ts';
import { parseSearchQuery } from '#domain/text/search-query.ts';
import type { SearchAnswer, SearchHit } from '#src/search/protocol.ts';
import { SearchClient } from '#src/search/search-client.ts';

import { useSession } from './actors.ts';

export type { SearchHit };

const workerOf = oncePer((db: UserDatabase) => new SearchClient(db));

/** The worker, which receives the possible authors; undefined while the store opens. */
const useMessageWorker = (): SearchClient | undefined => {
  const db = useStore()?.database;
  const { user } = useSession();
  const teams = useTeams();
  const staff = useProducers();
  useEffect(() => {
    if (db && user && teams) workerOf(db).setDirectory({ user, teams, staff });
  }, [db, user, teams, staff]);
  return useMemo(() => db && workerOf(db), [db]);
};

const NO_HITS: readonly SearchHit[] = [];

/** Searches the signed-in user's messages on this device, including those that arrive meanwhile. */
export const useMessageSearch = (text: string, limit: number) => {
  const worker = useMessageWorker();
  const subscriberId = useId();
  const [last, setLast] = useState<{ of: string; answer: SearchAnswer } | undefined>();
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    // Relative days are resolved at the moment they are typed.
    const query = parseSearchQuery(text, Date.now());
    worker?.search(subscriberId, query, limit, (answer) => {
      setFailed(answer === 'failed');
      if (answer !== 'failed') setLast({ of: text, answer });
    });
  }, [worker, subscriberId, text, limit]);
  useEffect(() => worker && (() => worker.leave(subscriberId)), [worker, subscriberId]);
  // After a failure, the hits of another search would look like those of this one.
  const shown = isFailed && last?.of !== text ? undefined : last?.answer;
  const { hits = NO_HITS, total = 0, coverage } = shown ?? {};
  // While messages are being read, the rest may still contain the first hit.
  const isAnswered = last?.of === text && (total > 0 || coverage?.isWhole === true);
  /** `pending`: not answered yet; the hits, if any, are those of the previous search. */
  const state = isFailed
    ? ('failed' as const)
    : isAnswered
      ? ('found' as const)
      : ('pending' as const);
  /** Ignored filters, as typed. */
  const { ignored } = useMemo(() => parseSearchQuery(text, 0), [text]);
  return { state, hits, total, coverage, ignored };
};

export type SearchView = ReturnType<typeof useMessageSearch>;

/** The figures of the dashboard, from the messages on this device. */
export interface FiguresView {
  readonly isFailed: boolean;
  /** Undefined until all messages on this device are counted. */
  readonly figures: DashboardFigures | undefined;
}

const NOT_COUNTED: FiguresView = { isFailed: false, figures: undefined };

/** Counts the signed-in user's messages on this device, including those that arrive meanwhile. */
export const useFigures = (query: Omit<FiguresQuery, 'now' | 'done'>): FiguresView => {
  const worker = useMessageWorker();
  const done = useDone();
  // Without the clients and the marks, waits would be wrong.
  const isKnown = useTeams() !== undefined && done !== undefined;
  const subscriberId = useId();
  const [last, setLast] = useState<{ readonly days: PeriodDays; readonly view: FiguresView }>();
  useEffect(() => {
    if (!isKnown) return;
    worker?.count(subscriberId, { ...query, done }, (answer) => {
      const { days } = query;
      setLast((before) => {
        const known = before?.days === days ? before.view : NOT_COUNTED;
        const view =
          answer === 'failed'
            ? { ...known, isFailed: true }
            : { isFailed: false, figures: answer.figures };
        return { days, view };
      });
    });
  }, [worker, subscriberId, query, done, isKnown]);
  useEffect(() => worker && (() => worker.leave(subscriberId)), [worker, subscriberId]);
  // The figures of another period are never shown.
  return last?.days === query.days ? last.view : NOT_COUNTED;
};
