import type { Cancellation } from '#domain/ports/kit.ts';

/**
 * The number of sign-outs on this device that a tab knows of (`SignOuts.turn`): its session is
 * of after them. What a cancelled question learnt is told to nobody, so that the next one has
 * to notice it.
 */
export const createKnownGeneration = () => {
  let known: number | undefined;
  const learn = (turn: number | undefined, cancel: Cancellation): void => {
    if (turn !== undefined && !cancel.aborted) known = turn;
  };
  return {
    learn,
    /** Learns a turn: did somebody sign out on this device since the last one? */
    notice(turn: number | undefined, cancel: Cancellation): boolean {
      const hasLeft = known !== undefined && turn !== undefined && known !== turn;
      learn(turn, cancel);
      return hasLeft;
    },
  };
};
