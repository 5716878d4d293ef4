import { toName, toNodes, toTransitions } from '#tests/support/machines/render-diagram.ts';
import { MACHINES } from '#tests/support/machines/machine-list.ts';
import { type AnyStateMachine, type AnyStateNode, fromPromise } from 'xstate';
import { expect, it } from 'vitest';

/** How XState starts a promise: this distinguishes promises from other actors of the same shape. */
const PROMISE_START = String(fromPromise(() => Promise.resolve()).start);

const isPromise = (logic: unknown): boolean =>
  String(Reflect.get(Object(logic), 'start')) === PROMISE_START;

/** This one waits for the user, without a time limit. */
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
      .filter(({ name }) => isPromise(machine.implementations.actors[name]))
      .map((actor) => findMissing(node, actor)),
  );

it('every awaited actor handles an answer, a throw and a timeout', () => {
  const awaited = Object.values(MACHINES).flatMap(findUnhandled);
  expect(awaited.length).toBeGreaterThan(20);
  expect(awaited.flat()).toEqual([]);
});
