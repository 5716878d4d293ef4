import type { ChannelLog, StoredMessage } from './channel-log.ts';
import { answer, answerText, type Exchange } from './exchange.ts';
import { RECORDED_REFUSALS } from './recorded-refusals.ts';

const PAGE_ONE_CHANNEL = 100;
const PAGE_MANY_CHANNELS = 25;
const CHANNELS_MAX = 500;
const COUNTS_CHANNELS_MAX = 100;
const COUNTED_MS = 30 * 86_400_000;

const refuse = (exchange: Exchange): void => answerText(exchange, RECORDED_REFUSALS.badArguments);

const pad = (timetoken: string): string => timetoken.padStart(17, '0');

/** In the shape of `RECORDED_PAGE.history`. */
const toItem = ({ message, timetoken, publisher }: StoredMessage) => ({
  message_type: null,
  message,
  timetoken,
  type: '',
  uuid: publisher,
});

/**
 * `GET /v3/history/sub-key/{key}/channel/{channels}?max&start&end`: the newest `max` of each
 * channel, older than `start` (exclusive), no older than `end` (inclusive), oldest first.
 */
export const serveHistory = (
  log: ChannelLog,
  names: readonly string[],
  exchange: Exchange,
): void => {
  const { query } = exchange;
  const limit = names.length > 1 ? PAGE_MANY_CHANNELS : PAGE_ONE_CHANNEL;
  const max = Math.min(Number(query.get('max') ?? limit), limit);
  const start = pad(query.get('start') ?? '99999999999999999');
  const end = pad(query.get('end') ?? '0');
  if (names.length > CHANNELS_MAX || !(max > 0)) {
    refuse(exchange);
    return;
  }
  const pages = names.map((name) => {
    const found = log
      .findIn(name)
      .filter(({ timetoken }) => timetoken < start && timetoken >= end)
      .slice(-max);
    return [encodeURIComponent(name), found.map(toItem)] as const;
  });
  const channels = Object.fromEntries(pages.filter(([, found]) => found.length > 0));
  answer(exchange, { status: 200, channels, error_message: '', error: false });
};

/**
 * `GET /v3/history/sub-key/{key}/message-counts/{channels}?timetoken` or `?channelsTimetoken`:
 * number of messages at or after the timetoken, and within 30 days.
 */
export const serveCounts = (
  log: ChannelLog,
  names: readonly string[],
  exchange: Exchange,
): void => {
  const { query, parts } = exchange;
  const path = `/${parts.slice(0, 5).join('/')}`;
  const given = (query.get('channelsTimetoken') ?? query.get('timetoken') ?? '').split(',');
  if (names.length > COUNTS_CHANNELS_MAX || (given.length > 1 && given.length !== names.length)) {
    refuse(exchange);
    return;
  }
  const oldest = pad(`${BigInt(Date.now() - COUNTED_MS) * 10_000n}`);
  const channels = Object.fromEntries(
    names.map((name, at) => {
      const since = pad(given[at] ?? given[0] ?? '0');
      const isCounted = ({ timetoken }: StoredMessage): boolean =>
        timetoken >= since && timetoken >= oldest;
      return [name, log.findIn(name).filter(isCounted).length];
    }),
  );
  const more = Object.fromEntries(
    names.map((name, at) => {
      const since = given[at] ?? given[0] ?? '0';
      return [name, { url: `${path}/${name}?timetoken=${since}`, is_more: false }];
    }),
  );
  answer(exchange, { status: 200, error: false, error_message: '', channels, more });
};
