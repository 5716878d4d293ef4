import * as z from 'zod/mini';

import { HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { type Timetoken, timetokenSchema } from '#domain/timetoken.ts';
import { parseJson } from '#domain/schemas/json.ts';

import type { Refusal } from './access.ts';
import { PAGE_COUNT_MAX } from './limits.ts';
import type { PageQuery } from './log/reader.ts';

type Params = Readonly<Record<string, string>>;

const timetokenParam = z.optional(timetokenSchema);
const countParam = z.string().check(
  z.regex(/^\d{1,3}$/),
  z.refine((text) => Number(text) >= 1 && Number(text) <= PAGE_COUNT_MAX),
);

const bytesParam = z.string().check(z.regex(/^[1-9]\d{0,6}$/));

const pageSchema = z.object({
  count: z.optional(countParam),
  bytes: z.optional(bytesParam),
  before: timetokenParam,
  after: timetokenParam,
});
const historySchema = z.extend(pageSchema, { channel: z.string() });
const streamSchema = z.object({ cursor: timetokenParam });
const countsSchema = z.object({ since: z.record(z.string(), timetokenSchema) });

const newestSchema = z.object({
  channels: z.array(z.string()).check(z.maxLength(PAGE_COUNT_MAX)),
});

const EXPECTED: Readonly<Record<string, string>> = {
  channel: 'the channel of a room',
  count: `a number from 1 to ${PAGE_COUNT_MAX}`,
  bytes: 'a number from 1 to 9999999',
  before: 'a timetoken of 17 digits',
  after: 'a timetoken of 17 digits',
  cursor: 'a timetoken of 17 digits',
};

const toRefusal = (error: z.core.$ZodError): Refusal => {
  const name = String(error.issues[0]?.path[0] ?? '');
  return { status: 400, text: `${name}: expected ${EXPECTED[name] ?? 'another value'}.` };
};

export interface HistoryQuery extends PageQuery {
  readonly channel: string;
}

/** The default count is the page of spec §9. */
const toPageQuery = ({ count, bytes, before, after }: z.infer<typeof pageSchema>): PageQuery => ({
  count: Number(count ?? HISTORY_PAGE_SIZE),
  bytes: bytes === undefined ? undefined : Number(bytes),
  before,
  after,
});

/** Reads the query of a history request. */
export const parseHistoryQuery = (params: Params): Result<HistoryQuery, Refusal> => {
  const parsed = historySchema.safeParse(params);
  if (!parsed.success) return fail(toRefusal(parsed.error));
  return ok({ ...toPageQuery(parsed.data), channel: parsed.data.channel });
};

/** Reads the query of a request for the user log or the staff log. */
export const parseMarkQuery = (params: Params): Result<PageQuery, Refusal> => {
  const parsed = pageSchema.safeParse(params);
  return parsed.success ? ok(toPageQuery(parsed.data)) : fail(toRefusal(parsed.error));
};

/** Reads the cursor of a stream request; without one, the stream starts at the head of the log. */
export const parseStreamQuery = (params: Params): Result<Timetoken | undefined, Refusal> => {
  const parsed = streamSchema.safeParse(params);
  return parsed.success ? ok(parsed.data.cursor) : fail(toRefusal(parsed.error));
};

export const parseCounts = (
  body: string,
): Result<readonly (readonly [channel: string, after: Timetoken])[], Refusal> => {
  const parsed = countsSchema.safeParse(parseJson(body));
  return parsed.success
    ? ok(Object.entries(parsed.data.since))
    : fail({ status: 400, text: 'Expected {since: {channel: timetoken}}.' });
};

/** Reads the body of a request for newest pages: the channels of rooms. */
export const parseNewest = (body: string): Result<ReadonlySet<string>, Refusal> => {
  const parsed = newestSchema.safeParse(parseJson(body));
  return parsed.success
    ? ok(new Set(parsed.data.channels))
    : fail({ status: 400, text: `Expected {channels: [channel]}, up to ${PAGE_COUNT_MAX}.` });
};
