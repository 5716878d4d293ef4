import type { AppError } from '#domain/errors.ts';
import { HISTORY_PAGE_SIZE, MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import type { createListeners } from '#domain/listeners.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { Realtime } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { toChannel } from '#domain/rooms.ts';
import type { MarkLogName } from '#domain/schemas/mark-log.ts';
import { historyAnswerSchema, publishAnswerSchema } from '#domain/schemas/realtime.ts';
import { toMessageBytes } from '#domain/schemas/message.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import type { ReadEntries } from '../realtime/entries.ts';
import { HISTORY_BYTES } from '../realtime/limits.ts';
import { toAccessError, type TokenSource } from '../realtime/token.ts';
import { type JsonRequest, requestJson, type Web } from '../http/request-json.ts';

export interface EmbeddedRealtimeNeeds {
  readonly web: Web;
  readonly log: ClientLog;
  readonly tokens: Pick<TokenSource, 'get' | 'forget'>;
  /**
   * The channel template of the server's public settings; `isSuspect`: a channel was refused or
   * unknown, so the server may have changed the template.
   */
  readonly findTemplate: (isSuspect?: boolean) => Promise<Result<string, AppError>>;
}

interface Access {
  readonly template: string;
  /** With the token. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What the calls share. */
export interface Engine extends EmbeddedRealtimeNeeds {
  readonly readEntries: ReadEntries;
  /** Listeners that are notified when the user log or the staff log grows. */
  readonly watchers: ReturnType<typeof createListeners<[MarkLogName]>>;
}

/** Path of the engine's endpoints. */
export const PATH = '/api/realtime';

/** The current token and channel template. */
export const findAccess = async (engine: Engine): Promise<Result<Access, AppError>> => {
  const template = await engine.findTemplate();
  if (!template.ok) return fail(toAccessError(template.error));
  const token = await engine.tokens.get();
  if (!token.ok) return fail(toAccessError(token.error));
  return ok({
    template: template.value,
    headers: { authorization: `Bearer ${token.value.token}` },
  });
};

/**
 * One call with the current token; nothing is sent once cancelled. If it is refused and the channel
 * template has changed, it is repeated: it may have named an unknown channel (400), or that of an
 * unknown client (410).
 */
export const call = async <T>(
  engine: Engine,
  cancel: AbortSignal,
  toRequest: (template: string) => Omit<JsonRequest<T>, 'headers' | 'cancel'>,
): Promise<Result<T, AppError>> => {
  const access = await findAccess(engine);
  if (!access.ok) return access;
  const { template, headers } = access.value;
  const ask = async (used: string): Promise<Result<T, AppError>> =>
    cancel.aborted
      ? fail({ kind: 'unreachable' })
      : requestJson(engine.web, { ...toRequest(used), headers, cancel });
  const answer = await ask(template);
  if (answer.ok || answer.error.kind !== 'rejected') return answer;
  if (![400, 410].includes(answer.error.status)) return answer;
  const current = await engine.findTemplate(true);
  if (!current.ok) return fail(toAccessError(current.error));
  return current.value === template ? answer : ask(current.value);
};

/** Publishes a payload within the limit of messages; the value is its position. */
export const publishTo = async (
  engine: Engine,
  payload: object,
  cancel: AbortSignal,
  toRequest: (template: string) => { readonly path: string; readonly body: string },
): Promise<Result<Timetoken, AppError>> => {
  const bytes = toMessageBytes(payload);
  const tooLarge = fail({ kind: 'too-large', bytes, limit: MESSAGE_BYTES_MAX } as const);
  if (bytes > MESSAGE_BYTES_MAX) return tooLarge;
  const answer = await call(engine, cancel, (template) => ({
    ...toRequest(template),
    parse: (value) => publishAnswerSchema.safeParse(value).data?.timetoken,
  }));
  const refused = !answer.ok && answer.error.kind === 'rejected' && answer.error.status === 413;
  return refused ? tooLarge : answer;
};

/** See `Realtime.publish`. */
export const publish =
  (engine: Engine): Realtime['publish'] =>
  (room, payload, cancel) =>
    publishTo(engine, payload, cancel, (template) => ({
      path: `${PATH}/publish`,
      body: JSON.stringify({ channel: toChannel(template, room), message: payload }),
    }));

/** See `Realtime.readHistory`. */
export const readHistory =
  (engine: Engine): Realtime['readHistory'] =>
  async ({ room, count, before, after }, cancel) => {
    let used = '';
    const answer = await call(engine, cancel, (template) => {
      used = template;
      const query = new URLSearchParams({ channel: toChannel(template, room), count: `${count}` });
      // The user reads whole pages (spec §9); prefetched ones must load on any network.
      if (count > HISTORY_PAGE_SIZE) query.set('bytes', `${HISTORY_BYTES}`);
      if (before !== undefined) query.set('before', before);
      if (after !== undefined) query.set('after', after);
      return {
        path: `${PATH}/history?${query}`,
        parse: (value) => historyAnswerSchema.safeParse(value).data,
      };
    });
    if (!answer.ok) return answer;
    const { entries: found, more } = answer.value;
    const full = more ?? found.length >= count;
    const entries = engine.readEntries(used, found).filter((entry) => entry.room === room);
    // A full page without any readable entry gives no position to continue from.
    if (full && entries.length === 0) return fail({ kind: 'malformed', detail: 'history page' });
    return ok({ entries, full });
  };
