import type { ChannelLog, StoredMessage } from './channel-log.ts';
import { isMatch } from './channel-log.ts';
import { answer, type Exchange } from './exchange.ts';
import type { Keyset } from './keyset.ts';

/** A subscriber's queue, over all of its channels; beyond this the oldest are dropped. */
const QUEUE_MESSAGES = 100;
const QUEUE_MS = 20 * 60_000;
/** A poll without messages is answered after this. */
const POLL_MS = 280_000;
const REGION = 42;

/** In the shape of `RECORDED_PAGE.poll`; `b` is the wildcard that matched. */
const toEnvelope = (subscribeKey: string, names: readonly string[], stored: StoredMessage) => {
  const { channel, timetoken, publisher, message } = stored;
  const wildcard = names.find((name) => name !== channel && isMatch(name, channel));
  return {
    a: '5',
    f: 0,
    i: publisher,
    s: 1,
    p: { t: timetoken, r: REGION },
    k: subscribeKey,
    c: channel,
    ...(names.includes(channel) ? {} : { b: wildcard }),
    d: message,
  };
};

const findQueued = (log: ChannelLog, names: readonly string[], after: string) => {
  const oldest = `${(BigInt(Date.now()) - BigInt(QUEUE_MS)) * 10_000n}`.padStart(17, '0');
  const from = after > oldest ? after : oldest;
  return log.findAfter(names, from).slice(-QUEUE_MESSAGES);
};

/**
 * `GET /v2/subscribe/{key}/{channels}/0?tt&tr`: without `tt` (handshake) answers at once with the
 * end of the log; else with the messages after `tt`, waiting for them.
 */
export const serveSubscribe = (
  log: ChannelLog,
  { hasWildcards }: Keyset,
  asked: readonly string[],
  exchange: Exchange,
): void => {
  // The service's answer to a wildcard without the add-on is unknown: here, no messages.
  const names = hasWildcards ? asked : asked.filter((name) => !name.endsWith('.*'));
  const subscribeKey = exchange.parts[2] ?? '';
  const after = exchange.query.get('tt') ?? '0';
  const give = (t: string, messages: readonly StoredMessage[]): void => {
    const m = messages.map((stored) => toEnvelope(subscribeKey, names, stored));
    answer(exchange, { t: { t, r: REGION }, m });
  };
  if (after === '0') {
    give(log.now(), []);
    return;
  }
  const { response } = exchange;
  let unwatch = (): void => undefined;
  let isAsked = false;
  const look = (): void => {
    isAsked = false;
    const found = findQueued(log, names, after.padStart(17, '0'));
    const last = found.at(-1);
    if (last === undefined || response.destroyed || response.writableEnded) return;
    finish();
    give(last.timetoken, found);
  };
  const timer = setTimeout(() => {
    finish();
    give(log.now(), []);
  }, POLL_MS);
  const finish = (): void => {
    unwatch();
    clearTimeout(timer);
  };
  unwatch = log.watch(() => {
    if (!isAsked) setImmediate(look);
    isAsked = true;
  });
  response.once('close', finish);
  look();
};
