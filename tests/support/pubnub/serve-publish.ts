import { buffer } from 'node:stream/consumers';
import { inflateSync } from 'node:zlib';

import type { ChannelLog } from './channel-log.ts';
import { answerText, type Exchange } from './exchange.ts';
import { isPublishKey, type Keyset } from './keyset.ts';
import { type Recorded, RECORDED_PAGE, TIME } from './recorded.ts';
import { RECORDED_REFUSALS } from './recorded-refusals.ts';

const MESSAGE_BYTES_MAX = 32_768;
/**
 * A keyset with wildcards accepts channels of three names (pubnub.com/docs: wildcard subscribe).
 */
const WILDCARD_DEPTH_MAX = 3;

/** A body as sent, whatever its encoding. */
export const readBody = async ({ request }: Exchange): Promise<string> => {
  const raw = await buffer(request);
  return (request.headers['content-encoding'] === 'deflate' ? inflateSync(raw) : raw).toString();
};

/** The published message: the body, or the last part of the URL. */
const readMessage = async (exchange: Exchange): Promise<string> =>
  exchange.request.method === 'POST'
    ? readBody(exchange)
    : decodeURIComponent(exchange.parts[6] ?? '');

type Words = keyof Pick<
  typeof RECORDED_REFUSALS,
  'wrongPublishKey' | 'tooDeep' | 'tooLarge' | 'noJson'
>;

const findFault = (
  keyset: Keyset,
  channel: string,
  exchange: Exchange,
  body: string,
): Words | undefined => {
  if (!isPublishKey(keyset, exchange.parts)) return 'wrongPublishKey';
  const isTooDeep = channel.split('.').length > WILDCARD_DEPTH_MAX;
  if (keyset.hasWildcards && isTooDeep) return 'tooDeep';
  if (Buffer.byteLength(body) > MESSAGE_BYTES_MAX) return 'tooLarge';
  try {
    JSON.parse(body);
    return undefined;
  } catch {
    return 'noJson';
  }
};

/**
 * `POST /publish/{publish key}/{subscribe key}/0/{channel}/0`, or `GET` with the message at the
 * end: stores the message at every request, unless `store=0`. Returns the answer.
 */
export const publish = async (
  log: ChannelLog,
  keyset: Keyset,
  channel: string,
  exchange: Exchange,
): Promise<() => void> => {
  const text = await readMessage(exchange);
  const fault = findFault(keyset, channel, exchange, text);
  const say = (recorded: Recorded, timetoken: string) => () =>
    answerText(exchange, { ...recorded, body: recorded.body.replace(TIME, timetoken) });
  if (fault !== undefined) return say(RECORDED_REFUSALS[fault], log.now());
  const { query } = exchange;
  const message: unknown = JSON.parse(text);
  const publisher = query.get('uuid') ?? '';
  const timetoken =
    query.get('store') === '0'
      ? log.pass(channel, publisher, message)
      : log.append(channel, publisher, message);
  return say(RECORDED_PAGE.publish, timetoken);
};
