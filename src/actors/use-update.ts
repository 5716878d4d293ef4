import { useSelector } from '@xstate/react';
import { type ActorRefFrom, createActor } from 'xstate';

import { createUpdateMachine, selectUpdate } from '#machines/app/update.machine.ts';
import type { PageRuntime } from '#src/boot/page-runtime.ts';
import { createPageWork } from '#src/boot/page-work.ts';

import { useRuntime } from './runtime-context.ts';

type UpdateActor = ActorRefFrom<ReturnType<typeof createUpdateMachine>>;

const updates = new WeakMap<PageRuntime, UpdateActor>();

/** One for the whole page: it reloads the page even if its prompt is no longer shown. */
const openUpdate = (runtime: PageRuntime): UpdateActor => {
  const opened = updates.get(runtime);
  if (opened !== undefined) return opened;
  const update = createActor(createUpdateMachine(runtime.ports, createPageWork(runtime.work)));
  updates.set(runtime, update);
  return update.start();
};

/** New versions of the page; loads together with the code that registers the service worker. */
export const useUpdate = () => {
  const update = openUpdate(useRuntime());
  const state = useSelector(update, selectUpdate);
  return { state, apply: () => update.send({ type: 'update.accepted' }) };
};
