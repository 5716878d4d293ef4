import { type AppError, toPublishText } from '#domain/errors.ts';
import type { Cancellation, Ports } from '#domain/ports.ts';

import type { PublishInput, RoomSenderSignal } from './room-sender.machine.ts';
import { toPayload } from './to-payload.ts';

/**
 * Refusals of the message itself. Every other 4xx (a path unknown during a deploy, a
 * conflict, a filter in between) speaks of the moment: the message stays queued.
 */
const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 413]);

const DEFERRED: RoomSenderSignal = { type: 'publish.deferred', retryAfterMs: 0 };

/** What a refused publish means for its message. */
const toSignal = (error: AppError, at: number): RoomSenderSignal => {
  switch (error.kind) {
    case 'rejected':
      if (!FINAL_STATUSES.has(error.status)) return DEFERRED;
      return { type: 'publish.rejected', reason: toPublishText(error), at };
    case 'too-large':
      return { type: 'publish.rejected', reason: toPublishText(error), at };
    case 'unauthenticated':
    case 'forbidden':
      return { type: 'publish.unauthorized' };
    case 'limited':
      return { type: 'publish.deferred', retryAfterMs: error.retryAfterMs };
    case 'unreachable':
    case 'timeout':
    case 'server':
    case 'malformed':
    case 'quota':
    case 'storage':
    case 'fenced':
    case 'credentials':
      return DEFERRED;
    default:
      return error satisfies never;
  }
};

/** Publishes one message once, under its own id. */
export const sendItem = async (
  { realtime, clock }: Pick<Ports, 'realtime' | 'clock'>,
  { item, renew }: PublishInput,
  cancel: Cancellation,
): Promise<RoomSenderSignal> => {
  if (item === undefined) throw new Error('Nothing to send');
  if (renew) realtime.renewToken();
  const answer = await realtime.publish(item.room, toPayload(item.id, item.text), cancel);
  if (answer.ok) return { type: 'publish.accepted', timetoken: answer.value };
  return toSignal(answer.error, clock.now());
};
