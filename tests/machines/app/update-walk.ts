import { createUpdateMachine } from '#machines/app/update.machine.ts';
import type { Walk } from '#tests/support/machines/cover-machine.ts';
import { NO_UPDATES } from '#tests/support/memory-ports/no-updates.ts';

const work = { finish: () => Promise.resolve(true), watchQuiet: () => () => undefined };

/** Every signal to the update machine in each of its states. */
export const UPDATE_WALK: Walk = {
  machine: createUpdateMachine(
    { updates: NO_UPDATES, clientLog: { write: () => undefined } },
    work,
  ),
  signals: [
    { type: 'update.found' },
    { type: 'update.accepted' },
    { type: 'update.replaced' },
    { type: 'page.quiet' },
  ],
  outputs: { finishWork: [true, false] },
};
