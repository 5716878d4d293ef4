import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import type { Result } from '#domain/result.ts';

import type { LeaderInput } from '../kit/inputs.ts';

type Stored = Result<number, AppError>;

/** Appends one fact, together with others that wait for the same commit. */
export type AppendFact = (fact: Fact) => Promise<Stored>;

/**
 * Facts that arrive during an append are appended together next: a full outbox would otherwise
 * wait for one commit after the other. If a group cannot be stored, each of its facts is appended
 * alone. A fact that is given again is a retry: the append before it is no longer waited for.
 */
export const groupAppends = ({
  store,
  fence,
}: Pick<LeaderInput, 'store' | 'fence'>): AppendFact => {
  type Group = Map<Fact, (stored: Stored | Promise<Stored>) => void>;
  let waiting: Group = new Map();
  let running: Group | undefined;
  const append = async (facts: readonly Fact[]): Promise<Stored> => store.append(facts, fence);
  const appendGroup = async (group: Group): Promise<void> => {
    const together = append([...group.keys()]);
    const isWhole = await together.then(
      (stored) => stored.ok || stored.error.kind === 'fenced',
      () => false,
    );
    const isAlone = group.size === 1;
    for (const [fact, settle] of group) settle(isWhole || isAlone ? together : append([fact]));
  };
  const appendWaiting = async (): Promise<void> => {
    const group = waiting;
    waiting = new Map();
    running = group;
    await appendGroup(group);
    if (running !== group) return;
    running = undefined;
    if (waiting.size > 0) await appendWaiting();
  };
  return (fact) =>
    new Promise((settle) => {
      const isRetry = waiting.has(fact) || running?.has(fact) === true;
      waiting.set(fact, settle);
      if (running === undefined || isRetry) void appendWaiting();
    });
};
