import type { AppError } from '#domain/errors.ts';
import type { Cancellation, Clock } from '#domain/ports/kit.ts';
import { ok, type Result } from '#domain/result.ts';

import { LEADING_FOR_SURE_MS } from '../kit/limits.ts';
import type { LeaderInput } from './room-sender.machine.ts';

/**
 * A cancellation that also stands from the moment on when another tab may have taken over: a
 * tab that froze in the middle goes on hours later, before it hears of anything.
 * Errors: `fenced` where another tab leads already.
 */
export const withLeaseDeadline = async (
  { clock }: { readonly clock: Clock },
  { store, fence }: LeaderInput,
  cancel: Cancellation,
): Promise<Result<Cancellation, AppError>> => {
  const from = clock.now();
  const leading = await store.append([], fence);
  if (!leading.ok) return leading;
  const isOld = (): boolean => Math.abs(clock.now() - from) > LEADING_FOR_SURE_MS;
  return ok({
    get aborted() {
      return cancel.aborted || isOld();
    },
    addEventListener: (type, listener) => cancel.addEventListener(type, listener),
    removeEventListener: (type, listener) => cancel.removeEventListener(type, listener),
  });
};
