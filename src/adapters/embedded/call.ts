import type { AppError } from '#domain/errors.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { MarkLogName } from '#domain/schemas/mark-log.ts';

import type { ReadEntries } from '../realtime/entries.ts';
import { toAccessError, type TokenSource } from '../realtime/token.ts';
import { type JsonRequest, requestJson, type Web } from '../http/request-json.ts';

export interface EmbeddedRealtimeNeeds {
  readonly web: Web;
  readonly log: ClientLog;
  readonly tokens: TokenSource;
  /** The channel template of the server's public settings. */
  readonly findTemplate: () => Promise<Result<string, AppError>>;
}

interface Access {
  readonly template: string;
  readonly token: string;
}

/** What the calls share. */
export interface Engine extends EmbeddedRealtimeNeeds {
  readonly readEntries: ReadEntries;
  /** Who is told that a log beside the rooms grew. */
  readonly watchers: Set<(name: MarkLogName) => void>;
}

/** Path of the engine's endpoints. */
export const PATH = '/api/realtime';

/** The current token and channel template. */
export const findAccess = async (engine: Engine): Promise<Result<Access, AppError>> => {
  const template = await engine.findTemplate();
  if (!template.ok) return fail(toAccessError(template.error));
  const token = await engine.tokens.get();
  if (!token.ok) return fail(toAccessError(token.error));
  return ok({ template: template.value, token: token.value.token });
};

/** One call with the current token; nothing is sent once cancelled. */
export const call = async <T>(
  engine: Engine,
  cancel: AbortSignal,
  toRequest: (template: string) => Omit<JsonRequest<T>, 'token' | 'cancel'>,
): Promise<Result<T, AppError>> => {
  const access = await findAccess(engine);
  if (!access.ok) return access;
  if (cancel.aborted) return fail({ kind: 'unreachable' });
  const { template, token } = access.value;
  return requestJson(engine.web, { ...toRequest(template), token, cancel });
};
