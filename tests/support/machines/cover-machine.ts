import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type AnyTransitionDefinition,
  type EventObject,
  getInitialMicrosteps,
  getMicrosteps,
} from 'xstate';
import { type AdjacencyMap, getAdjacencyMap } from 'xstate/graph';

import { toName, toNodes, toTransitions } from './render-diagram.ts';

/** One way to walk a machine: its guards, its input, and the signals it receives. */
export interface Walk {
  readonly machine: AnyStateMachine;
  readonly input?: unknown;
  readonly signals: readonly EventObject[];
  /** The answers of its actors, by their names. */
  readonly outputs?: Readonly<Record<string, readonly unknown[]>>;
  /** The part of the context that distinguishes states; none by default. */
  readonly keyOf?: (snapshot: AnyMachineSnapshot) => unknown;
}

const nameOf = (transition: AnyTransitionDefinition): string => {
  const { source, eventType } = transition;
  const index = toTransitions(source).indexOf(transition);
  return `${source.id} on ${eventType === '' ? 'always' : eventType} #${index}`;
};

/** Fires every timer, and throws in every actor whose throw is handled. */
const toTimersAndThrows = (root: AnyStateNode): readonly EventObject[] =>
  toNodes(root)
    .flatMap(toTransitions)
    .map(({ eventType }) => ({ type: eventType }))
    .filter(({ type }) => /^xstate\.(after|error\.actor)\./.test(type));

/** Makes every actor answer with each of its outputs. */
const toAnswers = (root: AnyStateNode, outputs: Walk['outputs'] = {}): readonly EventObject[] =>
  toNodes(root)
    .flatMap(({ invoke }) => invoke)
    .flatMap(({ id, src }) =>
      (outputs[toName(src)] ?? []).map((output) => ({ type: `xstate.done.actor.${id}`, output })),
    );

/** `always` transitions are visible only in the states before and after them. */
const findAlways = (steps: readonly AnyMachineSnapshot[]): readonly AnyTransitionDefinition[] =>
  steps
    .slice(1)
    .flatMap((after, index) =>
      (steps[index]?._nodes ?? []).flatMap((node) =>
        (node.always ?? []).filter(({ target }) =>
          target?.some(
            (state) => after._nodes.includes(state) && !steps[index]?._nodes.includes(state),
          ),
        ),
      ),
    );

const walkOnce = ({ machine, input, signals, outputs, keyOf }: Walk) => {
  const states = new Set<string>();
  const taken = new Set<string>();
  const see = (steps: readonly AnyMachineSnapshot[]) => {
    for (const { id } of steps.flatMap(({ _nodes }) => _nodes)) states.add(id);
    for (const transition of findAlways(steps)) taken.add(nameOf(transition));
  };
  const options = {
    input,
    events: [...signals, ...toAnswers(machine.root, outputs), ...toTimersAndThrows(machine.root)],
    // An unhandled throw ends the machine.
    stopWhen: ({ status }: AnyMachineSnapshot) => status !== 'active',
    serializeState: (snapshot: AnyMachineSnapshot) =>
      JSON.stringify([snapshot.value, snapshot.status, keyOf?.(snapshot)]),
  };
  // All paths share one system, in which an id can be used once.
  for (const { invoke } of toNodes(machine.root)) {
    for (const definition of invoke) Object.assign(definition, { systemId: undefined });
  }
  see(getInitialMicrosteps(machine, input as never).map(([snapshot]) => snapshot));
  const map: AdjacencyMap<AnyMachineSnapshot, EventObject> = getAdjacencyMap(
    machine,
    options as never,
  );
  for (const { state: snapshot, transitions } of Object.values(map)) {
    for (const { event } of Object.values<{ readonly event: EventObject }>(transitions)) {
      const enabled = machine.getTransitionData(snapshot, event);
      for (const transition of enabled) taken.add(nameOf(transition));
      if (enabled.length === 0) continue;
      const steps = getMicrosteps(machine, snapshot, event as never);
      see([snapshot, ...steps.map(([step]) => step)]);
    }
  }
  return { states, taken };
};

/**
 * Walks a machine along every path of its signals and returns the unreached parts: states by id,
 * transitions by state, trigger and position.
 */
export const findUncovered = (walks: readonly Walk[]): readonly string[] => {
  const results = walks.map(walkOnce);
  const isReached = (id: string) => results.some(({ states }) => states.has(id));
  const isTaken = (name: string) => results.some(({ taken }) => taken.has(name));
  const nodes = walks.slice(0, 1).flatMap(({ machine }) => toNodes(machine.root));
  return [
    ...nodes.map(({ id }) => id).filter((id) => !isReached(id)),
    ...nodes
      .flatMap(toTransitions)
      .map(nameOf)
      .filter((name) => !isTaken(name)),
  ];
};
