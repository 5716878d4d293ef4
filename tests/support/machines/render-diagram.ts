import { glob } from 'node:fs/promises';

import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';

/** Renders a machine as a Mermaid state diagram: names only, in the order of the source. */

const toId = (node: AnyStateNode): string => node.path.join('_');

/**
 * Machines contain names only: a part without one (the timers of `after`) is rendered as a
 * transition.
 */
export const toName = (part: unknown): string => {
  if (typeof part === 'string') return part;
  return typeof part === 'object' && part !== null && 'type' in part ? String(part.type) : '';
};

const namesOf = (parts: readonly unknown[]): readonly string[] =>
  parts.map(toName).filter((name) => name !== '');

/** The actor with this id that runs in a state or in a surrounding one. */
const findInvoked = (
  node: AnyStateNode | undefined,
  actor: string | undefined,
): AnyStateNode['invoke'][number] | undefined =>
  node && (node.invoke.find(({ id }) => id === actor) ?? findInvoked(node.parent, actor));

/**
 * `xstate.after.patience.session.status` becomes `after patience`; an actor appears by its name.
 */
const toTrigger = ({ eventType, source }: AnyTransitionDefinition): string => {
  const [, outcome, actor] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(eventType) ?? [];
  const ended = findInvoked(source, actor);
  if (ended) return `${toName(ended.src)} ${outcome === 'done' ? 'answered' : 'threw'}`;
  if (actor === '*') return 'a child ended';
  const after = /^xstate\.after\.([^.]+)\./.exec(eventType);
  if (after) return `after ${after[1]}`;
  const snapshot = /^xstate\.snapshot\.(.+)$/.exec(eventType);
  if (snapshot) return `${snapshot[1]} moved`;
  return eventType === '' ? 'always' : eventType;
};

const toLabel = (transition: AnyTransitionDefinition): string => {
  const guard = transition.guard === undefined ? '' : ` [${toName(transition.guard)}]`;
  const actions = namesOf(transition.actions);
  return `${toTrigger(transition)}${guard}${actions.length > 0 ? ` / ${actions.join(', ')}` : ''}`;
};

/** All transitions that start at a state, `always` last. */
export const toTransitions = (node: AnyStateNode): readonly AnyTransitionDefinition[] => [
  ...[...node.transitions.values()].flat(),
  ...(node.always ?? []),
];

/** A state and everything in it, outermost first. */
export const toNodes = (node: AnyStateNode): readonly AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(toNodes),
];

const toNotes = (node: AnyStateNode): readonly string[] => {
  const list = (title: string, names: readonly string[]) =>
    names.length > 0 ? [`${title}: ${names.join(', ')}`] : [];
  return [
    ...list(
      'runs',
      node.invoke.map(({ src }) => toName(src)),
    ),
    ...list('entry', namesOf(node.entry)),
    ...list('exit', namesOf(node.exit)),
    ...list(
      'on',
      toTransitions(node)
        .filter(({ target }) => target === undefined)
        .map(toLabel),
    ),
  ];
};

const renderStates = (node: AnyStateNode, indent: string): readonly string[] =>
  Object.values(node.states).flatMap((child, index) => {
    const inner = `${indent}  `;
    const region = node.type === 'parallel' && index > 0 ? [`${indent}--`] : [];
    const declared = [
      `${indent}state "${[child.key].concat(toNotes(child)).join('<br/>')}" as ${toId(child)}`,
    ];
    const start =
      node.initial?.target?.[0] === child && node.type !== 'parallel'
        ? [`${indent}[*] --> ${toId(child)}`]
        : [];
    const end = child.type === 'final' ? [`${indent}${toId(child)} --> [*]`] : [];
    const nested = renderStates(child, inner);
    const body =
      nested.length > 0 ? [`${indent}state ${toId(child)} {`].concat(nested, `${indent}}`) : [];
    return [region, declared, body, start, end].flat();
  });

const renderTransitions = (root: AnyStateNode): readonly string[] =>
  toNodes(root).flatMap((node) =>
    toTransitions(node).flatMap((transition) =>
      (transition.target ?? []).map((target) => {
        const from = node === root ? '[*]' : toId(node);
        return `  ${from} --> ${toId(target)} : ${toLabel(transition)}`;
      }),
    ),
  );

/** The contents of `{name}.machine.md`. */
export const renderDiagram = (machine: AnyStateMachine): string => {
  const notes = toNotes(machine.root);
  return [
    `# ${machine.id}`,
    '',
    ...(notes.length > 0 ? [...notes.map((note) => `- ${note}`), ''] : []),
    '```mermaid',
    'stateDiagram-v2',
    ...renderStates(machine.root, '  '),
    ...renderTransitions(machine.root),
    '```',
    '',
  ].join('\n');
};

/** Path of a machine's diagram: beside its source, whatever its folder. */
export const findDiagram = async (name: string): Promise<string> => {
  for await (const file of glob(`machines/**/${name}.machine.ts`)) return file.replace(/ts$/, 'md');
  throw new Error(`No machine is called ${name}.`);
};
