import { toName, toNodes, toTransitions } from '#tests/support/machines/draw-machine.ts';
import { MACHINES } from '#tests/support/machines/machine-list.ts';
import type * as XState from 'xstate';
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { expect, it, vi } from 'vitest';

const { promises } = vi.hoisted(() => ({ promises: new WeakSet() }));

vi.mock('xstate', async (load: () => Promise<typeof XState>) => {
  const xstate = await load();
  const fromPromise: typeof xstate.fromPromise = (create) => {
    const logic = xstate.fromPromise(create);
    promises.add(logic);
    return logic;
  };
  return { ...xstate, fromPromise };
});

/** It asks the user, who may take any time. */
const UNLIMITED = new Set(['requestPersistentStorage']);

const findMissing = (
  node: AnyStateNode,
  { id, name }: { readonly id: string; readonly name: string },
): readonly string[] => {
  const handles = (trigger: RegExp | string): boolean =>
    toTransitions(node).some(({ eventType }) => eventType.search(trigger) === 0);
  return [
    ...(handles(`xstate.done.actor.${id}$`) ? [] : ['onDone']),
    ...(handles(`xstate.error.actor.${id}$`) ? [] : ['onError']),
    ...(UNLIMITED.has(name) || handles(/xstate\.after\.\w+Limit\./) ? [] : ['upper time']),
  ].map((what) => `${node.id}: ${what} of ${name}`);
};

const findUnhandled = (machine: AnyStateMachine) =>
  toNodes(machine.root).flatMap((node) =>
    node.invoke
      .map(({ id, src }) => ({ id, name: toName(src) }))
      .filter(({ name }) => promises.has(Object(machine.implementations.actors[name])))
      .map((actor) => findMissing(node, actor)),
  );

it('every awaited actor handles an answer, a throw and a timeout', () => {
  const awaited = Object.values(MACHINES).flatMap(findUnhandled);
  expect(awaited.length).toBeGreaterThan(20);
  expect(awaited.flat()).toEqual([]);
});
