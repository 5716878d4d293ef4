import type { Ports } from '#domain/ports/ports.ts';
import type { PageWork } from '#domain/ports/browser.ts';
import { type EventObject, fromCallback } from 'xstate';

import { REQUEST_LIMIT_MS, UPDATE_PATIENCE_MS } from '../kit/limits.ts';
import { fromTask } from '../kit/task.ts';
import { updateMachine, type UpdateSignal } from './update.machine.ts';

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
