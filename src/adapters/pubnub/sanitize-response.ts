import type { ClientLog } from '#domain/ports/browser.ts';
import { toShallow } from '#domain/rules/nesting.ts';
import { isTimetoken } from '#domain/timetoken.ts';
import * as z from 'zod/mini';

import { PAYLOAD_DEPTH_MAX } from '../realtime/limits.ts';
import { AnswerError } from './answer-error.ts';

/** Kinds of envelopes: `e` is absent for a message and 4 for a file; others are not messages. */
const MESSAGE_TYPES: ReadonlySet<unknown> = new Set([undefined, null, -1, 0, 4]);
const SIGNAL_TYPE = 1;

const timetoken = z.custom<string>(isTimetoken);

/** The region in which a subscription continues; without one the SDK assumes an error. */
const REGION_DEFAULT = 1;

const batchSchema = z.object({
  t: z.object({ t: timetoken, r: z.catch(z.number(), REGION_DEFAULT) }),
  m: z.array(z.unknown()),
});

const envelopeSchema = z.looseObject({
  c: z.string(),
  p: z.looseObject({ t: timetoken }),
});

/** `more` is present if the service has cut the page. */
const pageSchema = z.object({
  channels: z.record(z.string(), z.array(z.unknown())),
  more: z.optional(z.unknown()),
});

const countsSchema = z.looseObject({ channels: z.record(z.string(), z.number()) });

/** The fields that are read of an entry; the rest may be anything, however deep. */
const entrySchema = z.object({
  timetoken: z.optional(z.unknown()),
  message: z.optional(z.unknown()),
  uuid: z.optional(z.unknown()),
});

const refuse = (detail: string): never => {
  throw new AnswerError({ kind: 'malformed', detail });
};

/**
 * A published payload. The response is passed to the SDK as JSON, which no program can write for a
 * value nested thousands deep: one such message would fail all others with it.
 */
const sanitizePayload = (value: unknown): unknown => toShallow(value, PAYLOAD_DEPTH_MAX) ?? null;

/** The channels named in the path of a subscription. */
const toNames = (path: string): readonly string[] =>
  (path.split('/')[4] ?? '').split(',').map(decodeURIComponent);

/** The name of a subscription that includes a channel. */
const findName = (names: ReadonlySet<string>, channel: string): string | undefined =>
  [channel, channel.replace(/\.[^.]*$/, '.*')].find((name) => names.has(name));

/**
 * A batch of a subscription. The SDK discards a whole batch for one invalid envelope, permanently;
 * an entry that is not a message becomes an empty signal, so that the batch keeps its size.
 */
const sanitizeBatch = (path: string, value: unknown, log: ClientLog): unknown => {
  const batch = batchSchema.safeParse(value);
  if (!batch.success) return refuse('batch');
  const { t, m } = batch.data;
  const names = new Set(toNames(path));
  const [first] = names;
  const filler = { c: first, b: first, e: SIGNAL_TYPE, d: '', i: '', p: t };
  const fitted = m.map((envelope) => {
    const parsed = envelopeSchema.safeParse(envelope);
    if (!parsed.success) {
      log.write('warn', 'REALTIME_ENTRY_MALFORMED', { issues: parsed.error.issues.length });
      return filler;
    }
    const { c, d, e, i, p } = parsed.data;
    const b = findName(names, c);
    if (b === undefined || !MESSAGE_TYPES.has(e) || c.endsWith('-pnpres')) return filler;
    return { b, c, d: sanitizePayload(d), i: typeof i === 'string' ? i : '', p };
  });
  return { t: { t: t.t, r: t.r || REGION_DEFAULT }, m: fitted };
};

/** Replaces an invalid entry; later code skips it. */
const INVALID_ENTRY = { timetoken: '', message: null };

const sanitizeEntry = (entry: unknown) => {
  const { data } = entrySchema.safeParse(entry);
  return data ? { ...data, message: sanitizePayload(data.message) } : INVALID_ENTRY;
};

/** A page of history, same length; the SDK discards a whole page for one invalid entry. */
const sanitizePage = (value: unknown): unknown => {
  const page = pageSchema.safeParse(value);
  if (!page.success) return refuse('history page');
  const channels = Object.entries(page.data.channels).map(
    ([name, entries]) => [name, entries.map(sanitizeEntry)] as const,
  );
  const { more } = page.data;
  return { channels: Object.fromEntries(channels), ...(more !== undefined && { more }) };
};

/** Only `[1, "Sent", timetoken]` acknowledges a message. */
const sanitizeAcknowledgement = (value: unknown): unknown =>
  Array.isArray(value) && value[0] === 1 && isTimetoken(value[2]) ? value : refuse('publish');

/** The service's clock: a list of one timetoken, as a number. */
const sanitizeTime = (value: unknown): unknown =>
  Array.isArray(value) && typeof value[0] === 'number' ? value : refuse('time');

/**
 * Sanitizes a response for the SDK, which trusts every response of the engine. @throws AnswerError
 * if the response is unusable
 */
export const sanitizeResponse = (path: string, value: unknown, log: ClientLog): unknown => {
  if (path.startsWith('/v2/subscribe/')) return sanitizeBatch(path, value, log);
  if (path.startsWith('/time/')) return sanitizeTime(value);
  if (path.startsWith('/publish/')) return sanitizeAcknowledgement(value);
  if (!path.includes('/message-counts/')) return sanitizePage(value);
  return countsSchema.safeParse(value).data ?? refuse('counts');
};
