import type { ClientLog } from '#domain/ports.ts';
import { isTimetoken } from '#domain/timetoken.ts';
import * as z from 'zod/mini';

import { AnswerError } from './pubnub-answer-error.ts';

/** Kinds of envelopes: `e` of a message is absent, a file's is 4; other kinds are no messages. */
const MESSAGE_TYPES: ReadonlySet<unknown> = new Set([undefined, null, -1, 0, 4]);
const SIGNAL_TYPE = 1;

const timetoken = z.custom<string>(isTimetoken);

const batchSchema = z.object({
  t: z.looseObject({ t: timetoken, r: z.number() }),
  m: z.array(z.unknown()),
});

const envelopeSchema = z.looseObject({
  c: z.string(),
  b: z.optional(z.string()),
  p: z.looseObject({ t: timetoken }),
});

const pageSchema = z.looseObject({ channels: z.record(z.string(), z.array(z.unknown())) });

const countsSchema = z.looseObject({ channels: z.record(z.string(), z.number()) });

const entrySchema = z.looseObject({ timetoken });

const refuse = (detail: string): never => {
  throw new AnswerError({ kind: 'malformed', detail });
};

/** The channels named in the path of a subscription. */
const toNames = (path: string): readonly string[] =>
  (path.split('/')[4] ?? '').split(',').map(decodeURIComponent);

/**
 * A batch of a subscription. The SDK gives up a whole batch for one envelope it cannot take
 * apart, for ever; what is no message goes on as an empty signal, so that the batch keeps its size.
 */
const fitBatch = (path: string, value: unknown, log: ClientLog): unknown => {
  const batch = batchSchema.safeParse(value);
  if (!batch.success) return refuse('batch');
  const { t, m } = batch.data;
  const [name] = toNames(path);
  const filler = { c: name, b: name, e: SIGNAL_TYPE, d: '', i: '', p: t };
  const fitted = m.map((envelope) => {
    const parsed = envelopeSchema.safeParse(envelope);
    if (!parsed.success) {
      log.write('warn', 'REALTIME_ENTRY_MALFORMED', { issues: parsed.error.issues.length });
      return filler;
    }
    const { b, c, d, e, i, p } = parsed.data;
    if (!MESSAGE_TYPES.has(e) || c.endsWith('-pnpres')) return filler;
    return { b, c, d: d ?? null, i: typeof i === 'string' ? i : '', p };
  });
  return { t, m: fitted };
};

/** Takes the place of an entry without a place in the log; nobody reads it further on. */
const UNFIT_ENTRY = { timetoken: '', message: null };

/** A page of history; the SDK gives up a whole page for one entry. It keeps its length. */
const fitPage = (value: unknown): unknown => {
  const page = pageSchema.safeParse(value);
  if (!page.success) return refuse('history page');
  const channels = Object.entries(page.data.channels).map(([name, entries]) => {
    const fitted = entries.map((entry) => entrySchema.safeParse(entry).data ?? UNFIT_ENTRY);
    return [name, fitted] as const;
  });
  return { ...page.data, channels: Object.fromEntries(channels) };
};

/** Only `[1, "Sent", timetoken]` says that a message was taken. */
const fitAcknowledgement = (value: unknown): unknown =>
  Array.isArray(value) && value[0] === 1 && isTimetoken(value[2]) ? value : refuse('publish');

/**
 * Makes an answer fit for the SDK, which trusts every answer of the engine.
 * @throws AnswerError where nothing can be made of it
 */
export const fitAnswer = (path: string, value: unknown, log: ClientLog): unknown => {
  if (path.startsWith('/v2/subscribe/')) return fitBatch(path, value, log);
  if (path.startsWith('/publish/')) return fitAcknowledgement(value);
  if (!path.includes('/message-counts/')) return fitPage(value);
  return countsSchema.safeParse(value).data ?? refuse('counts');
};
