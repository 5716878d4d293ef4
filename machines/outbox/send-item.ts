import { type AppError, toPublishText } from '#domain/errors.ts';
import type { Clock } from '#domain/ports/kit.ts';
import type { OutboxItem } from '#domain/project/rows.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { ok, type Result } from '#domain/result.ts';

import { reconcilePublish, recordAttempt } from './look-up-attempt.ts';
import type { PublishInput, RoomSenderSignal, LeaderInput } from './room-sender.machine.ts';
import { toPayload } from './to-payload.ts';
import { LEADING_FOR_SURE_MS } from '../kit/limits.ts';

/**
 * Refusals of the message itself. Every other 4xx (a path unknown during a deploy, a
 * conflict, a filter in between) speaks of the moment: the message stays queued.
 */
const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 413]);

/** To be tried again, with no pause asked for. */
export const DEFERRED: RoomSenderSignal = { type: 'publish.deferred', retryAfterMs: 0 };

export const STORAGE_FULL: RoomSenderSignal = { type: 'storage.full' };

/** What a refused request means for the message that was to be sent. */
const toPassingSignal = (error: AppError): RoomSenderSignal => {
  switch (error.kind) {
    case 'unauthenticated':
    case 'forbidden':
      return { type: 'publish.unauthorized' };
    case 'limited':
      return { type: 'publish.deferred', retryAfterMs: error.retryAfterMs };
    case 'fenced':
      return { type: 'record.fenced' };
    case 'quota':
      return STORAGE_FULL;
    case 'rejected':
    case 'too-large':
    case 'unreachable':
    case 'timeout':
    case 'server':
    case 'malformed':
    case 'storage':
    case 'credentials':
    case 'session-lost':
      return DEFERRED;
    default:
      return error satisfies never;
  }
};

/** What a refused publish means for its message: only its own refusal is final. */
const toSignal = (error: AppError, at: number): RoomSenderSignal => {
  const isFinal =
    error.kind === 'too-large' || (error.kind === 'rejected' && FINAL_STATUSES.has(error.status));
  return isFinal
    ? { type: 'publish.rejected', reason: toPublishText(error), at }
    : toPassingSignal(error);
};

/** Sees to it that an engine that stores twice what comes twice gets it once. */
const prepare = async (
  ports: Pick<Ports, 'realtime'>,
  { leader, item }: PublishInput,
  cancel: AbortSignal,
): Promise<Result<boolean, AppError>> => {
  const { attemptedAfter } = item;
  if (attemptedAfter !== undefined) {
    return reconcilePublish(ports, leader, item, attemptedAfter, cancel);
  }
  const noted = await recordAttempt(ports, leader, item, cancel);
  return noted.ok ? ok(true) : noted;
};

/** Publishes under the message's own id. */
const publish = async (
  { realtime, clock }: Pick<Ports, 'realtime' | 'clock'>,
  { id, room, text }: OutboxItem,
  cancel: AbortSignal,
): Promise<RoomSenderSignal> => {
  const answer = await realtime.publish(room, toPayload(id, text), cancel);
  if (answer.ok) return { type: 'publish.accepted', timetoken: answer.value };
  return toSignal(answer.error, clock.now());
};

/**
 * A signal that also counts as aborted from the moment on when another tab may have taken over: a
 * tab that froze in the middle goes on hours later, before it hears of anything.
 * Errors: `fenced` where another tab leads already.
 */
const withLeaseDeadline = async (
  { clock }: { readonly clock: Clock },
  { store, fence }: LeaderInput,
  cancel: AbortSignal,
): Promise<Result<AbortSignal, AppError>> => {
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

/** Publishes one message once, unless it turns out to have arrived before. */
export const sendItem = async (
  ports: Pick<Ports, 'realtime' | 'clock'>,
  input: PublishInput,
  cancel: AbortSignal,
): Promise<RoomSenderSignal> => {
  const { item, leader, renew } = input;
  if (renew) ports.realtime.renewToken();
  if (ports.realtime.idempotent) return publish(ports, item, cancel);
  const toSend = await prepare(ports, input, cancel);
  if (!toSend.ok) return toPassingSignal(toSend.error);
  if (!toSend.value) return { type: 'publish.found' };
  const leading = await withLeaseDeadline(ports, leader, cancel);
  return leading.ok ? publish(ports, item, leading.value) : toPassingSignal(leading.error);
};
