import * as z from 'zod';

import type { AppError } from '#domain/errors.ts';

import type { Config, HostedKeyset } from '../config.ts';
import { createGrantToken, toEngineUrl } from '../hosted/grant-token.ts';
import { parseApiTeams } from '../proxy/api-lists.ts';
import { askUpstream } from '../upstream.ts';
import { bad, type Finding, note, ok } from './finding.ts';

/** Who the doctor's own grant is for: nobody signs in under this name, and it permits nothing. */
const DOCTOR_UID = 'replay-desk-doctor';
/** The service refuses grants whose time is further off. */
const SKEW_MAX_MS = 60_000;
const TICKS_PER_MS = 10_000;

const describe = (error: AppError): string => {
  if (error.kind === 'unauthenticated') return 'answers 401';
  if (error.kind === 'forbidden') return 'answers 403';
  if (error.kind === 'malformed') return `answers ${error.detail}`;
  if (error.kind === 'timeout') return 'does not answer in time';
  return 'status' in error ? `answers ${error.status}` : 'cannot be reached';
};

/** Asks for the clients without a token: a refusal shows as well as a list that somebody is there. */
const checkApi = async (apiBaseUrl: string): Promise<Finding> => {
  const url = `${apiBaseUrl}/staff/teams`;
  const answer = await askUpstream({ url });
  if (answer.ok) {
    return parseApiTeams(answer.value).ok
      ? note('api', `${url} answers without a token: is it meant to?`)
      : bad('api', `${url} answers no list of clients`);
  }
  const isThere = answer.error.kind === 'unauthenticated' || answer.error.kind === 'forbidden';
  const text = `${url} ${describe(answer.error)}`;
  return isThere ? ok('api', `${text} without a token, as it should`) : bad('api', text);
};

const checkClock = async (keyset: HostedKeyset): Promise<Finding> => {
  const engine = toEngineUrl(keyset);
  const answer = await askUpstream({ url: `${engine}/time/0` });
  if (!answer.ok) return bad('engine', `${engine} ${describe(answer.error)}`);
  const time = z.tuple([z.number()]).safeParse(answer.value);
  if (!time.success) return bad('engine', `${engine} does not tell the time as PubNub does`);
  const seconds = Math.round((Date.now() - time.data[0] / TICKS_PER_MS) / 1000);
  if (Math.abs(seconds) * 1000 <= SKEW_MAX_MS) return ok('engine', `${engine}, clocks agree`);
  return bad('engine', `${engine}: this machine's clock is ${seconds} s off: no grant is accepted`);
};

const checkGrant = async (keyset: HostedKeyset): Promise<Finding> => {
  const { secretKey } = keyset;
  if (secretKey === undefined) {
    return note('grant', 'no PUBNUB_SECRET_KEY: everybody with the public keys reads everything');
  }
  const grant = createGrantToken(keyset, secretKey, Date.now);
  const granted = await grant({ uid: DOCTOR_UID, minutes: 1, pattern: undefined });
  return granted.ok
    ? ok('grant', 'a token of a minute was granted')
    : bad('grant', `the engine ${describe(granted.error)}: check the keys and the Access Manager`);
};

/** The hosted services, asked over the network. */
export const checkServices = async ({
  apiBaseUrl,
  hosted,
}: Config): Promise<readonly Finding[]> => [
  ...(apiBaseUrl === undefined ? [] : [await checkApi(apiBaseUrl)]),
  ...(hosted === undefined ? [] : [await checkClock(hosted), await checkGrant(hosted)]),
];
