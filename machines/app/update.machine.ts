import { fromPromise, setup, type SnapshotFrom } from 'xstate';

import type { PageWork } from '#domain/ports/browser.ts';
import type { Ports } from '#domain/ports/ports.ts';

import { reportFailure } from '../kit/answer.ts';
import { fromSubscription } from '../kit/from-subscription.ts';
import { REQUEST_LIMIT_MS, ACTIVATION_SLOW_MS } from '../kit/limits.ts';

export type UpdateSignal =
  /** A new version is installed and waiting. */
  | { readonly type: 'update.found' }
  | { readonly type: 'update.accepted' }
  /** A new version controls this page from now on; this tab or another requested it. */
  | { readonly type: 'update.replaced' }
  /** A reload of this tab would interrupt nothing: no text, nothing sent or held, no toast. */
  | { readonly type: 'page.quiet' };

type UpdatePorts = Pick<Ports, 'updates' | 'clientLog'>;

const setupUpdate = ({ updates, clientLog }: UpdatePorts, work: PageWork) =>
  setup({
    types: { events: {} as UpdateSignal },
    actors: {
      watchUpdates: fromSubscription<UpdateSignal>((send) =>
        updates.watch((change) => send({ type: `update.${change}` })),
      ),
      watchQuiet: fromSubscription<UpdateSignal>((send) =>
        work.watchQuiet(() => send({ type: 'page.quiet' })),
      ),
      finishWork: fromPromise<boolean>(async () => work.finish()),
    },
    actions: {
      activateUpdate: () => updates.activate(),
      reload: () => updates.reload(),
      reportFailure: reportFailure({ clientLog }),
    },
    guards: { isFinished: (_, isFinished: boolean) => isFinished },
    delays: { activationSlow: ACTIVATION_SLOW_MS, requestLimit: REQUEST_LIMIT_MS },
  });

/** A reload loses nothing: the current publish is answered, drafts are stored. */
const isFinished = {
  type: 'isFinished',
  params: ({ event }: { readonly event: { readonly output: boolean } }) => event.output,
} as const;

/**
 * A new version of the page is applied by prompt only. The tab whose user accepts finishes its work
 * first; the others keep their version until nothing is being typed or sent there. No page reloads
 * before the new version controls it: it would load the old one again. An accepted version is
 * requested until it takes control.
 */
export const createUpdateMachine = (ports: UpdatePorts, work: PageWork) =>
  setupUpdate(ports, work).createMachine({
    id: 'update',
    initial: 'current',
    invoke: { src: 'watchUpdates' },
    on: { 'update.replaced': '.outdated' },
    states: {
      current: { on: { 'update.found': 'waiting' } },
      waiting: { on: { 'update.accepted': 'finishing' } },
      finishing: {
        invoke: {
          src: 'finishWork',
          onDone: [{ guard: isFinished, target: 'applying' }, { target: 'blockedByDraft' }],
          onError: { target: 'blockedByDraft', actions: 'reportFailure' },
        },
        after: { requestLimit: { target: 'blockedByDraft', actions: 'reportFailure' } },
        on: { 'update.replaced': 'leaving' },
      },
      /** A draft cannot be stored here. */
      blockedByDraft: { invoke: { src: 'watchQuiet' }, on: { 'page.quiet': 'applying' } },
      applying: {
        entry: 'activateUpdate',
        on: { 'update.replaced': 'leaving', 'update.found': 'waiting' },
        after: { activationSlow: 'late' },
      },
      /** A browser may lose the request, and an old worker may be busy for minutes. */
      late: {
        on: { 'update.accepted': 'finishing', 'update.found': 'waiting' },
        after: {
          activationSlow: { target: 'late', reenter: true, actions: 'activateUpdate' },
        },
      },
      outdated: {
        invoke: { src: 'watchQuiet' },
        on: { 'page.quiet': 'leaving', 'update.accepted': 'leaving' },
      },
      leaving: {
        invoke: {
          src: 'finishWork',
          onDone: [{ guard: isFinished, target: 'reloading' }, { target: 'outdated' }],
          onError: { target: 'outdated', actions: 'reportFailure' },
        },
        after: { requestLimit: { target: 'outdated', actions: 'reportFailure' } },
        on: { 'update.replaced': {} },
      },
      reloading: { entry: 'reload', on: { 'update.replaced': {} } },
    },
  });

/** What the prompt shows: nothing, the offer, or that the version waits until it is safe. */
const SHOWN = {
  current: 'none',
  waiting: 'offered',
  finishing: 'coming',
  blockedByDraft: 'blockedByDraft',
  applying: 'coming',
  late: 'offered',
  outdated: 'offered',
  leaving: 'coming',
  reloading: 'coming',
} as const;

/** The state of the prompt. */
export const selectUpdate = (snapshot: SnapshotFrom<ReturnType<typeof createUpdateMachine>>) =>
  SHOWN[snapshot.value];
