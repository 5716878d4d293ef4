import { type AppError, toPublishText } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import type { Clock } from '#domain/ports/kit.ts';
import { SEND_RETRY_MAX_MS, SEND_RETRY_MIN_MS } from '#domain/limits.ts';
import type { OutboxItem } from '#domain/project/rows.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { ok, type Result } from '#domain/result.ts';
import { toRetryDelay } from '#domain/rules/retry-delay.ts';
import { toPayload } from '#domain/schemas/message.ts';

import type { LeaderInput } from '../kit/inputs.ts';
import { LEASE_DEADLINE_MS, LOOKUP_DELAY_MS, PACING_THRESHOLD } from '../kit/leader-limits.ts';
import { reconcilePublish, recordAttempt } from './look-up-attempt.ts';

type SendPorts = Pick<Ports, 'realtime' | 'clock'>;

export interface SendInput {
  readonly leader: LeaderInput;
  readonly item: OutboxItem;
}

const RETRY = { minMs: SEND_RETRY_MIN_MS, maxMs: SEND_RETRY_MAX_MS };

/** The pause before the next attempt, ms. If a retry costs two requests, each room counts twice. */
export const toPauseMs = (
  { realtime, random }: Pick<Ports, 'realtime' | 'random'>,
  context: {
    readonly attempt: number;
    readonly activeRoomCount: number;
    readonly retryAfterMs: number;
  },
): number => {
  const requests = context.activeRoomCount * (realtime.idempotent ? 1 : 2);
  const pacing = Math.max(1, requests / PACING_THRESHOLD);
  const delay = toRetryDelay(context.attempt - 1, RETRY, random) * pacing;
  return Math.max(context.retryAfterMs, delay);
};

/**
 * How long it is too early to look for the item in the history after an attempt, ms: the history
 * may not contain it yet. An attempt of another tab, or from before a reload, may have been just
 * now.
 */
export const toUnsettledMs = (
  { realtime, clock }: Pick<Ports, 'realtime' | 'clock'>,
  context: { readonly item: OutboxItem | undefined; readonly failedAt: number | undefined },
): number => {
  const { item, failedAt } = context;
  if (realtime.idempotent || item?.attemptedAfter === undefined) return 0;
  const elapsed = failedAt === undefined ? 0 : clock.now() - failedAt;
  return elapsed < 0 ? LOOKUP_DELAY_MS : Math.max(0, LOOKUP_DELAY_MS - elapsed);
};

/** What the sender of a room sends next. @throws if there is nothing */
export const toSendInput = (
  leader: LeaderInput & { readonly item: OutboxItem | undefined },
): SendInput => {
  if (leader.item === undefined) throw new Error('Nothing is being sent');
  return { leader, item: leader.item };
};

/** The fact to record; none if the message had already left the queue. */
export type SendOutcome = Result<Fact | undefined, AppError>;

/**
 * Refusals of the message itself, or of its client, who was removed (410). Every other 4xx (a path
 * unknown during a deployment, a conflict, an intermediary's filter) is transient: the message
 * stays queued.
 */
const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 410, 413]);

/** Refused for this user: 401 or 403. */
export const isRefused = (error: AppError | undefined): boolean =>
  error?.kind === 'unauthenticated' || error?.kind === 'forbidden';

/** Prevents duplicates on a non-idempotent engine. */
const prepare = async (
  ports: Pick<Ports, 'realtime'>,
  { leader, item }: SendInput,
  cancel: AbortSignal,
): Promise<Result<boolean, AppError>> => {
  const { attemptedAfter } = item;
  if (attemptedAfter !== undefined) {
    return reconcilePublish(ports, leader, item, attemptedAfter, cancel);
  }
  const recorded = await recordAttempt(ports, leader, item, cancel);
  return recorded.ok ? ok(true) : recorded;
};

/** Publishes under the message's own id; a refusal of the message itself is an outcome, too. */
const publish = async (
  { realtime, clock }: SendPorts,
  { id, room, uid, text }: OutboxItem,
  cancel: AbortSignal,
): Promise<SendOutcome> => {
  const answer = await realtime.publish(room, toPayload(id, text), cancel);
  if (answer.ok) return ok({ type: 'v1.MessagePublished', id, room, uid, timetoken: answer.value });
  const { error } = answer;
  const isFinal =
    error.kind === 'too-large' || (error.kind === 'rejected' && FINAL_STATUSES.has(error.status));
  if (!isFinal) return answer;
  const reason = toPublishText(error);
  return ok({ type: 'v1.PublishFailed', id, room, reason, at: clock.now() });
};

/**
 * A signal that is also aborted once another tab may have taken over: a tab that froze midway may
 * continue hours later, before it detects that. Errors: `fenced` if another tab leads already.
 */
const withLeaseDeadline = async (
  { clock }: { readonly clock: Clock },
  { store, fence }: LeaderInput,
  cancel: AbortSignal,
): Promise<Result<AbortSignal, AppError>> => {
  const from = clock.now();
  const leading = await store.append([], fence);
  if (!leading.ok) return leading;
  const isOld = (): boolean => Math.abs(clock.now() - from) > LEASE_DEADLINE_MS;
  return ok({
    get aborted() {
      return cancel.aborted || isOld();
    },
    addEventListener: (type, listener) => cancel.addEventListener(type, listener),
    removeEventListener: (type, listener) => cancel.removeEventListener(type, listener),
  });
};

/** Publishes one message once, unless it has already arrived. */
const sendOnce = async (
  ports: SendPorts,
  input: SendInput,
  cancel: AbortSignal,
): Promise<SendOutcome> => {
  const { item, leader } = input;
  if (ports.realtime.idempotent) return publish(ports, item, cancel);
  const toSend = await prepare(ports, input, cancel);
  if (!toSend.ok) return toSend;
  if (!toSend.value) return ok(undefined);
  const leading = await withLeaseDeadline(ports, leader, cancel);
  return leading.ok ? publish(ports, item, leading.value) : leading;
};

/**
 * Sends one message; if the token is refused (401), once more with a new one. For a refused room
 * (403) the engine's adapter requests a new one itself, if that may help.
 */
export const sendItem = async (
  ports: SendPorts,
  input: SendInput,
  cancel: AbortSignal,
): Promise<SendOutcome> => {
  const outcome = await sendOnce(ports, input, cancel);
  if (outcome.ok || outcome.error.kind !== 'unauthenticated' || cancel.aborted) return outcome;
  ports.realtime.renewToken();
  return sendOnce(ports, input, cancel);
};
