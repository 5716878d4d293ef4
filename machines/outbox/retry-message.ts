import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import { ok, type Result } from '#domain/result.ts';

/** Queues a refused message again. */
export const retryMessage = async (
  { clock }: Pick<Ports, 'clock'>,
  store: Store,
  id: string,
): Promise<Result<void, AppError>> => {
  const stored = await store.append([{ type: 'v1.MessageRetried', id, at: clock.now() }]);
  return stored.ok ? ok(undefined) : stored;
};
