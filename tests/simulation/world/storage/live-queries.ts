import '../globals.ts';

import { Dexie } from 'dexie';

import { findOwnerOf, type Owner } from './disk.ts';
import type { Scheduler } from '../scheduler.ts';

type Listener = (parts: unknown) => void;

interface Subscriber {
  readonly notify: Listener;
  readonly owner: Owner | undefined;
}

let running: Scheduler | undefined;
let subscribers: Subscriber[] = [];

const notifyLater = (subscriber: Subscriber, { lane, disk }: Owner, parts: unknown): void => {
  disk.scheduler.soon(lane, () => {
    if (subscribers.includes(subscriber)) subscriber.notify(parts);
  });
};

/**
 * Dexie notifies live queries of a commit: at once in the same tab, by a message in the other tabs
 * of the device, never on another device.
 */
Object.assign(Dexie.on.storagemutated, {
  subscribe: (notify: Listener) => {
    subscribers.push({ notify, owner: findOwnerOf(running?.current) });
  },
  unsubscribe: (notify: Listener) => {
    subscribers = subscribers.filter((subscriber) => subscriber.notify !== notify);
  },
  fire: (parts: unknown) => {
    const writer = findOwnerOf(running?.current);
    for (const subscriber of subscribers) {
      const { owner } = subscriber;
      if (owner === undefined || owner.lane === writer?.lane) subscriber.notify(parts);
      else if (owner.disk === writer?.disk) notifyLater(subscriber, owner, parts);
    }
  },
});

/** Live queries created from now on belong to the tabs of this scheduler; undefined: to none. */
export const runLiveQueries = (scheduler: Scheduler | undefined): void => {
  running = scheduler;
  subscribers = [];
};
