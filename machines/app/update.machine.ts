import { type EventObject, fromCallback, setup, type SnapshotFrom } from 'xstate';

import type { Ports } from '#domain/ports/ports.ts';
import type { PageWork } from '#domain/ports/browser.ts';

import { fromTask, missing, missingTask } from '../kit/task.ts';
import { REQUEST_LIMIT_MS, UPDATE_PATIENCE_MS } from '../kit/limits.ts';

export type UpdateSignal =
  /** A new version is installed and waits. */
  | { readonly type: 'update.found' }
  | { readonly type: 'update.accepted' }
  /** A new version serves this page from now on; this tab or another asked for it. */
  | { readonly type: 'update.replaced' }
  /** Nothing is lost by a reload now: what was being sent is answered, what is typed is stored. */
  | { readonly type: 'page.settled' }
  | { readonly type: 'page.unsettled' }
  /** Nothing typed here is unsent, and nothing is being sent. */
  | { readonly type: 'page.quiet' };

/**
 * A new version of the page is applied by prompt only. The tab that was asked settles first;
 * the others go on with the version they have until nothing is typed or being sent there. No
 * page reloads before the new version has taken over: it would load the old one once more.
 */
export const updateMachine = setup({
  types: { events: {} as UpdateSignal },
  actors: {
    watchUpdates: missingTask('watchUpdates'),
    watchQuiet: missingTask('watchQuiet'),
    settle: missingTask('settle'),
    activateUpdate: missingTask('activateUpdate'),
    reload: missingTask('reload'),
  },
  delays: { activationPatience: missing('activationPatience') },
}).createMachine({
  id: 'update',
  initial: 'current',
  invoke: { src: 'watchUpdates' },
  on: { 'update.replaced': '.outdated' },
  states: {
    current: { on: { 'update.found': 'waiting' } },
    waiting: { on: { 'update.accepted': 'settling' } },
    settling: {
      invoke: { src: 'settle' },
      on: {
        'page.settled': 'applying',
        'page.unsettled': 'held',
        'update.replaced': 'leaving',
      },
    },
    /** What is typed cannot be stored here. */
    held: { invoke: { src: 'watchQuiet' }, on: { 'page.quiet': 'applying' } },
    applying: {
      invoke: { src: 'activateUpdate' },
      on: { 'update.replaced': 'leaving', 'update.found': 'waiting' },
      after: { activationPatience: 'waiting' },
    },
    outdated: {
      invoke: { src: 'watchQuiet' },
      on: { 'page.quiet': 'leaving', 'update.accepted': 'leaving' },
    },
    leaving: {
      invoke: { src: 'settle' },
      on: { 'page.settled': 'reloading', 'page.unsettled': 'outdated', 'update.replaced': {} },
    },
    reloading: { invoke: { src: 'reload' }, on: { 'update.replaced': {} } },
  },
});

/** What is to be said of a new version: nothing, the offer, or that it comes when all is safe. */
export const selectUpdate = (
  snapshot: SnapshotFrom<typeof updateMachine>,
): 'none' | 'offered' | 'coming' | 'held' => {
  if (snapshot.matches('waiting') || snapshot.matches('outdated')) return 'offered';
  if (snapshot.matches('held')) return 'held';
  return snapshot.matches('current') ? 'none' : 'coming';
};

const UNSETTLED: UpdateSignal = { type: 'page.unsettled' };

/** The update machine with its real actors. */
export const provideUpdate = (
  { updates, clientLog }: Pick<Ports, 'updates' | 'clientLog'>,
  work: PageWork,
) =>
  updateMachine.provide({
    actors: {
      watchUpdates: fromCallback<EventObject, undefined>(({ sendBack }) =>
        updates.watch((change) => sendBack({ type: `update.${change}` } satisfies UpdateSignal)),
      ),
      watchQuiet: fromCallback<EventObject, undefined>(({ sendBack }) =>
        work.watchQuiet(() => sendBack({ type: 'page.quiet' } satisfies UpdateSignal)),
      ),
      settle: fromTask<undefined>(
        { clientLog },
        { name: 'settle', limitMs: REQUEST_LIMIT_MS, toFailure: () => UNSETTLED },
        async (): Promise<UpdateSignal> =>
          (await work.settle()) ? { type: 'page.settled' } : UNSETTLED,
      ),
      activateUpdate: fromCallback<EventObject, undefined>(() => updates.activate()),
      reload: fromCallback<EventObject, undefined>(() => updates.reload()),
    },
    delays: { activationPatience: UPDATE_PATIENCE_MS },
  });
