import type { AppError } from '#domain/errors.ts';

import type { Config } from '../config/config.ts';
import { parseApiTeams } from '../product-api/lists.ts';
import { askUpstream } from '../kernel/upstream.ts';
import { checkEngine } from './check-engine.ts';
import { bad, type Finding, note, ok } from './finding.ts';

const describe = (error: AppError): string => {
  if (error.kind === 'unauthenticated') return 'answers 401';
  if (error.kind === 'forbidden') return 'answers 403';
  if (error.kind === 'malformed') return `gives no usable answer (${error.detail})`;
  if (error.kind === 'timeout') return 'does not answer in time';
  return 'status' in error ? `answers ${error.status}` : 'cannot be reached';
};

/** Requests the clients without a token: a refusal also proves that the API answers. */
const checkApi = async (apiBaseUrl: string): Promise<Finding> => {
  const url = `${apiBaseUrl}/staff/teams`;
  const answer = await askUpstream({ url });
  if (answer.ok) {
    return parseApiTeams(answer.value).ok
      ? note('api', `${url} answers without a token: is that intended?`)
      : bad('api', `${url} does not answer with a list of clients`);
  }
  const isThere = answer.error.kind === 'unauthenticated' || answer.error.kind === 'forbidden';
  const text = `${url} ${describe(answer.error)}`;
  return isThere ? ok('api', `${text} without a token, as it should`) : bad('api', text);
};

/** Checks the hosted services over the network. */
export const checkServices = async (config: Config): Promise<readonly Finding[]> => {
  const { apiBaseUrl, hosted } = config;
  return [
    ...(apiBaseUrl === undefined ? [] : [await checkApi(apiBaseUrl)]),
    ...(hosted === undefined ? [] : await checkEngine(hosted, config)),
  ];
};
