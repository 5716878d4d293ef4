import type { LinkStatus } from '#domain/link-status.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { type AnyActorRef, fromCallback, type SnapshotFrom } from 'xstate';

import { CATCH_UP_ROUNDS_MAX } from '../kit/limits.ts';
import type { ConnectionMachine } from './connection.machine.ts';
import type { ConnectionSignal } from './connection-setup.ts';

/** The connection's id in the actor system of a leading tab. */
export const CONNECTION_ID = 'connection';

/** Whether the engine is reachable, regardless of what the browser reports about the network. */
export interface LinkSignal {
  readonly type: 'connection.restored' | 'connection.lost';
}

/** The link status that the leader publishes to all tabs. */
export const selectLink = (snapshot: SnapshotFrom<ConnectionMachine>): LinkStatus => {
  if (snapshot.matches('offline') || snapshot.matches({ linked: 'probing' })) {
    return { kind: 'offline' };
  }
  const { cause, retryAt, catchingUp, catchUpFailures } = snapshot.context;
  if (snapshot.matches({ linked: 'online' })) {
    if (catchingUp) return { kind: 'online', catchingUp };
    const incomplete = catchUpFailures >= CATCH_UP_ROUNDS_MAX;
    return { kind: 'online', ...(incomplete && { incomplete }) };
  }
  const known = cause === undefined ? {} : { cause };
  if (snapshot.matches('waiting')) return { kind: 'waiting', retryAt, ...known };
  return { kind: 'connecting', ...known };
};

/** Reports whether the engine is reachable: now, and at every change. */
export const watchLink = fromCallback(({ system, sendBack }) => {
  const connection = system.get(CONNECTION_ID);
  let previous: LinkSignal['type'] | undefined;
  const report = (snapshot: SnapshotFrom<ConnectionMachine>): void => {
    const type = selectLink(snapshot).kind === 'online' ? 'connection.restored' : 'connection.lost';
    if (type === previous) return;
    previous = type;
    sendBack({ type } satisfies LinkSignal);
  };
  if (connection === undefined) return undefined;
  report(connection.getSnapshot());
  const { unsubscribe } = connection.subscribe(report);
  return unsubscribe;
});

/** The stream position of this tab; undefined until it has stored anything as the leader. */
export const findCursor = (system: AnyActorRef['system']): Timetoken | undefined =>
  system.get(CONNECTION_ID)?.getSnapshot().context.cursor;

/** Sends a signal to the connection of this tab, if it leads. */
export const notifyConnection = (system: AnyActorRef['system'], signal: ConnectionSignal): void =>
  system.get(CONNECTION_ID)?.send(signal);
