import { buffer } from 'node:stream/consumers';
import { inflateSync } from 'node:zlib';

import type { ChannelLog } from './channel-log.ts';
import { answer, type Exchange, SCRIPT } from './exchange.ts';

const MESSAGE_BYTES_MAX = 32_768;

/** A body as sent, whatever its encoding. */
export const readBody = async ({ request }: Exchange): Promise<string> => {
  const raw = await buffer(request);
  return (request.headers['content-encoding'] === 'deflate' ? inflateSync(raw) : raw).toString();
};

/**
 * `POST /publish/{publish key}/{subscribe key}/0/{channel}/0`: stores the message, every time
 * it comes. The value is what to answer.
 */
export const publish = async (
  log: ChannelLog,
  channel: string,
  exchange: Exchange,
): Promise<() => void> => {
  const body = await readBody(exchange);
  const say = (ok: 0 | 1, word: string, timetoken: string, status: number) => () =>
    answer(exchange, [ok, word, timetoken], status, SCRIPT);
  if (Buffer.byteLength(body) > MESSAGE_BYTES_MAX) {
    return say(0, 'Message Too Large', log.now(), 413);
  }
  try {
    const message: unknown = JSON.parse(body);
    const timetoken = log.append(channel, exchange.query.get('uuid') ?? '', message);
    return say(1, 'Sent', timetoken, 200);
  } catch {
    return say(0, 'Invalid JSON', log.now(), 400);
  }
};
