import type { Simulation } from './simulation.ts';

/** The state of every machine of every tab, for the report of a failing seed. */
export const listStates = ({ devices }: Simulation): readonly string[] =>
  devices.flatMap(({ tabs, name, uid, channels }) => [
    `${name}: session of ${uid ?? 'nobody'}, ${channels.size} streams`,
    ...Array.from(tabs, ({ lane, app }) => {
      const { children, context } = app.getSnapshot();
      const desk = context.desk?.getSnapshot();
      const leader = desk?.context.leader?.getSnapshot();
      const connection = leader?.children.connection?.getSnapshot();
      const session = children.session?.getSnapshot();
      const senders = leader?.children.outbox?.getSnapshot().children ?? {};
      const rooms = Object.entries(senders).map(([id, ref]) => {
        const value: unknown = Reflect.get(ref?.getSnapshot() ?? {}, 'value');
        return `${id}: ${JSON.stringify(value)}`;
      });
      const parts = { session, desk, leader, connection };
      const values = Object.entries(parts).map(
        ([part, snapshot]) => `${part} ${JSON.stringify(snapshot?.value)}`,
      );
      return `${lane.name} (${lane.state}): ${[...values, ...rooms].join('; ')}`;
    }),
  ]);
