import type { Ports } from '#domain/ports.ts';
import { type EventObject, fromCallback } from 'xstate';

import { updateMachine, type UpdateSignal } from './update.machine.ts';

/** The update machine with its real actors. */
export const provideUpdate = ({ updates }: Pick<Ports, 'updates'>) =>
  updateMachine.provide({
    actors: {
      watchUpdates: fromCallback<EventObject, undefined>(({ sendBack }) =>
        updates.onWaiting(() => sendBack({ type: 'update.found' } satisfies UpdateSignal)),
      ),
      applyUpdate: fromCallback<EventObject, undefined>(() => updates.apply()),
    },
  });
