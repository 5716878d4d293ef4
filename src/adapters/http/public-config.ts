import type { AppError } from '#domain/errors.ts';
import type { Result } from '#domain/result.ts';
import { type PublicConfig, publicConfigSchema } from '#domain/schemas/config.ts';

import { requestJson, type Web } from './request-json.ts';

/** The server's public settings; requested once, and again only after a failure. */
export interface PublicConfigSource {
  get(): Promise<Result<PublicConfig, AppError>>;
}

export const createPublicConfig = (web: Web): PublicConfigSource => {
  let asked: Promise<Result<PublicConfig, AppError>> | undefined;
  const ask = async () => {
    const answer = await requestJson(web, {
      path: '/api/config',
      parse: (value) => publicConfigSchema.safeParse(value).data,
    });
    if (!answer.ok) asked = undefined;
    return answer;
  };
  return {
    get() {
      asked ??= ask();
      return asked;
    },
  };
};
