import '../globals.ts';

import { Dexie } from 'dexie';

import { findOwnerOf, type Owner } from './disk.ts';
import type { Scheduler } from '../scheduler.ts';

type Tell = (parts: unknown) => void;

interface Subscriber {
  readonly tell: Tell;
  readonly owner: Owner | undefined;
}

let running: Scheduler | undefined;
let subscribers: Subscriber[] = [];

const tellLater = (subscriber: Subscriber, { lane, disk }: Owner, parts: unknown): void => {
  disk.scheduler.soon(lane, () => {
    if (subscribers.includes(subscriber)) subscriber.tell(parts);
  });
};

/**
 * Dexie notifies live queries of a commit: at once in the same tab, by a message in the other tabs
 * of the device, never on another device.
 */
Object.assign(Dexie.on.storagemutated, {
  subscribe: (tell: Tell) => {
    subscribers.push({ tell, owner: findOwnerOf(running?.current) });
  },
  unsubscribe: (tell: Tell) => {
    subscribers = subscribers.filter((subscriber) => subscriber.tell !== tell);
  },
  fire: (parts: unknown) => {
    const teller = findOwnerOf(running?.current);
    for (const subscriber of subscribers) {
      const { owner } = subscriber;
      if (owner === undefined || owner.lane === teller?.lane) subscriber.tell(parts);
      else if (owner.disk === teller?.disk) tellLater(subscriber, owner, parts);
    }
  },
});

/** Live queries created from now on belong to the tabs of this scheduler; undefined: to none. */
export const runLiveQueries = (scheduler: Scheduler | undefined): void => {
  running = scheduler;
  subscribers = [];
};
