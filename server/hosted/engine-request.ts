import * as z from 'zod';

import { fail, ok, type Result } from '#domain/result.ts';
import { parseJson } from '#domain/schemas/json.ts';

import {
  readUpstreamBody,
  requestUpstream,
  type UpstreamRequest,
  type UpstreamSilence,
} from '../kernel/upstream.ts';

/** Why the hosted engine gave no usable answer. */
export type EngineFault =
  /** It refused, with its own text if it gave one. */
  | { readonly kind: 'refused'; readonly status: number; readonly engineError: string | undefined }
  /** Not an answer of the engine: a page from an intermediary, or another service. */
  | { readonly kind: 'foreign'; readonly detail: string }
  | UpstreamSilence;

export type EngineAnswer<T> = Result<T, EngineFault>;

const ENGINE_ERROR_LENGTH_MAX = 200;

/** The shapes of a refusal: from the Access Manager, from the history, and from `publish`. */
const engineErrorSchema = z.union([
  z
    .object({
      error: z.object({
        message: z.string(),
        details: z.array(z.object({ message: z.string() })).catch([]),
      }),
    })
    .transform(({ error }) => [error.message, ...error.details.map((one) => one.message)]),
  z.object({ message: z.string() }).transform(({ message }) => [message]),
  z.object({ error_message: z.string() }).transform((answer) => [answer.error_message]),
  z
    .tuple([z.literal(0), z.string()])
    .rest(z.unknown())
    .transform(([, text]) => [text]),
]);

const readEngineError = (value: unknown): string | undefined =>
  engineErrorSchema
    .safeParse(value)
    .data?.join(': ')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, ENGINE_ERROR_LENGTH_MAX);

const readAnswer = async (answer: Response): Promise<EngineAnswer<unknown>> => {
  const { status, headers } = answer;
  const value = parseJson((await readUpstreamBody(answer)) ?? '');
  if (value === undefined) {
    const type = headers.get('content-type')?.slice(0, 80) ?? 'no content type';
    return fail({ kind: 'foreign', detail: `${status} with ${type}, not JSON` });
  }
  const engineError = readEngineError(value);
  // `publish` refuses within its list, usually with a 4xx status.
  const isRefused = !answer.ok || (Array.isArray(value) && engineError !== undefined);
  return isRefused ? fail({ kind: 'refused', status, engineError }) : ok(value);
};

/**
 * One request to the hosted engine, which labels its JSON as a script: valid JSON is an answer,
 * regardless of its content type. 10 s and 5 MB at most; redirects are not followed. `what` describes
 * an answer that is not in the shape of `schema`.
 */
export const askEngineFor = async <T>(
  request: UpstreamRequest,
  schema: z.ZodType<T>,
  what: string,
): Promise<EngineAnswer<T>> => {
  const answer = await requestUpstream(request, readAnswer);
  if (!answer.ok) return answer;
  const parsed = schema.safeParse(answer.value);
  return parsed.success ? ok(parsed.data) : fail({ kind: 'foreign', detail: `JSON, but ${what}` });
};
