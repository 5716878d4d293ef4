import { useMemo } from 'react';
import { shallowEqual, useActorRef, useSelector } from '@xstate/react';

import type { Period } from '#machines/period/load-period.ts';
import { createPeriodMachine, selectPeriod } from '#machines/period/period.machine.ts';

import { useOpenStore } from './desk.ts';
import { useRuntime } from './runtime-context.ts';

export interface PeriodView extends ReturnType<typeof selectPeriod> {
  readonly load: () => void;
  readonly stop: () => void;
}

/** The state of a period on this device; the calling component must be keyed by the period. */
export const usePeriod = (period: Period): PeriodView => {
  const { ports, signalSession } = useRuntime();
  const store = useOpenStore();
  const machine = useMemo(
    () => createPeriodMachine(ports, store, () => signalSession({ type: 'session.revalidate' })),
    [ports, store, signalSession],
  );
  const actor = useActorRef(machine, { input: period });
  const view = useSelector(actor, selectPeriod, shallowEqual);
  return {
    ...view,
    load: () => actor.send({ type: 'load.requested' }),
    stop: () => actor.send({ type: 'stop.requested' }),
  };
};
