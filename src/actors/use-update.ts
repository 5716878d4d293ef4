import { useEffect, useRef } from 'react';
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

/** Looks for a new version at every reconnection: the server may have been replaced meanwhile. */
const useCheck = ({ app, ports }: PageRuntime): void => {
  const desk = useSelector(app, ({ context }) => context.desk);
  const leader = useSelector(desk, (snapshot) => snapshot?.context.leader);
  const isOnline = useSelector(leader, (snapshot) => snapshot?.context.link.kind === 'online');
  const wasOnline = useRef(false);
  useEffect(() => {
    if (!isOnline) return;
    if (wasOnline.current) ports.updates.check();
    wasOnline.current = true;
  }, [isOnline, ports]);
};

/** Whether the session has ended, which a start that could not find out does not show. */
export const useHasEnded = (): boolean =>
  useSelector(
    useSelector(useRuntime().app, ({ children }) => children.session),
    (snapshot) =>
      snapshot !== undefined &&
      snapshot.matches({ status: 'unauthenticated' }) &&
      !snapshot.matches({ status: { unauthenticated: 'unknown' } }),
  );

/** New versions of the page; loads together with the code that registers the service worker. */
export const useUpdate = () => {
  const runtime = useRuntime();
  const update = openUpdate(runtime);
  useCheck(runtime);
  const state = useSelector(update, selectUpdate);
  return { state, apply: () => update.send({ type: 'update.accepted' }) };
};
