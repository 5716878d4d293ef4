import { useEffect, useId, useMemo, useState } from 'react';
import { shallowEqual, useActorRef, useSelector } from '@xstate/react';

import { useStore } from '#db/hooks/store-context.ts';
import type { DashboardFigures, FiguresQuery } from '#domain/dashboard/figures.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { createPeriodMachine, selectPeriod } from '#machines/period/period.machine.ts';

import { useRuntime } from './runtime-context.ts';
import { useMessageWorker } from './search.ts';

/** The figures of the dashboard, from the messages on this device. */
export interface FiguresView {
  readonly isFailed: boolean;
  /** Undefined until some are counted. */
  readonly figures: DashboardFigures | undefined;
  /** All messages on this device are counted. */
  readonly isWhole: boolean;
}

/** Counts the signed-in user's messages on this device; follows what arrives meanwhile. */
export const useFigures = (query: Omit<FiguresQuery, 'now'> | undefined): FiguresView => {
  const worker = useMessageWorker();
  const asker = useId();
  const [view, setView] = useState<FiguresView>({
    isFailed: false,
    figures: undefined,
    isWhole: false,
  });
  useEffect(() => {
    if (query === undefined) return;
    worker?.count(asker, query, (answer) => {
      setView((last) => (answer === 'failed' ? { ...last, isFailed: true } : toView(answer)));
    });
  }, [worker, asker, query]);
  useEffect(() => worker && (() => worker.leave(asker)), [worker, asker]);
  return view;
};

const toView = ({ figures, isWhole }: Omit<FiguresView, 'isFailed'>): FiguresView => ({
  isFailed: false,
  figures,
  isWhole,
});

export interface PeriodView extends ReturnType<typeof selectPeriod> {
  readonly load: () => void;
  readonly stop: () => void;
}

/** What this device knows of a period; the calling component must be keyed by `since`. */
export const usePeriod = (since: Timetoken): PeriodView => {
  const { ports, signalSession } = useRuntime();
  const store = useStore();
  if (store === undefined) throw new Error('The store is not open');
  const machine = useMemo(
    () => createPeriodMachine(ports, store, () => signalSession({ type: 'session.revalidate' })),
    [ports, store, signalSession],
  );
  const period = useActorRef(machine, { input: { since } });
  const view = useSelector(period, selectPeriod, shallowEqual);
  return {
    ...view,
    load: () => period.send({ type: 'load.requested' }),
    stop: () => period.send({ type: 'stop.requested' }),
  };
};
