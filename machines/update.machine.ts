import { setup } from 'xstate';

import { missingTask } from './task.ts';

export type UpdateSignal = { readonly type: 'update.found' } | { readonly type: 'update.accepted' };

/** A new version of the page is applied by prompt only, never by surprise. */
export const updateMachine = setup({
  types: { events: {} as UpdateSignal },
  actors: {
    watchUpdates: missingTask('watchUpdates'),
    applyUpdate: missingTask('applyUpdate'),
  },
}).createMachine({
  id: 'update',
  initial: 'current',
  invoke: { src: 'watchUpdates' },
  states: {
    current: { on: { 'update.found': 'waiting' } },
    waiting: { on: { 'update.accepted': 'applying' } },
    applying: { invoke: { src: 'applyUpdate' } },
  },
});
