import { toChannel, toRoomKey } from '#domain/rooms.ts';
import { isWildcardTemplate } from '#domain/rules/subscription.ts';

import type { Config, HostedKeyset } from '../config/config.ts';
import { type AccessManager, createAccessManager, toEngineUrl } from '../hosted/access-manager.ts';
import { toAccessPattern } from '../hosted/access-pattern.ts';
import type { EngineFault } from '../hosted/engine-request.ts';
import { createEngineProbe, DOCTOR_UID, type EngineProbe } from './engine-probe.ts';
import { bad, type Finding, note, ok } from './finding.ts';

/** The service refuses grants whose timestamp differs by more. */
const SKEW_MAX_MS = 60_000;
const TICKS_PER_MS = 10_000;
const SWITCH_ON = 'switch it on for this keyset in the Admin Portal';

/** Describes a fault by its cause: no answer, a foreign answer, or a refusal. */
const describe = (fault: EngineFault): string => {
  if (fault.kind === 'unreachable') return 'cannot be reached';
  if (fault.kind === 'timeout') return 'does not answer in time';
  if (fault.kind === 'foreign') {
    return `is answered by something else (${fault.detail}): a proxy, a captive portal, or a wrong PUBNUB_ORIGIN`;
  }
  return `refuses: ${fault.status}${fault.engineError ? ` "${fault.engineError}"` : ''}`;
};

const says = (fault: EngineFault, pattern: RegExp): boolean =>
  fault.kind === 'refused' && pattern.test(fault.engineError ?? '');

/** One keyset under test, in the doctor's own rooms. */
interface Examined {
  readonly engine: string;
  readonly probe: EngineProbe;
  readonly access: AccessManager | undefined;
  readonly channel: string;
  /** The doctor's rooms as a wildcard; undefined if the template permits none. */
  readonly wildcard: string | undefined;
  readonly pattern: string;
}

const checkClock = async ({ probe, engine }: Examined): Promise<Finding> => {
  const time = await probe.time();
  if (!time.ok) return bad('engine', `${engine} ${describe(time.error)}`);
  const seconds = Math.round((Date.now() - time.value / TICKS_PER_MS) / 1000);
  if (Math.abs(seconds) * 1000 <= SKEW_MAX_MS) return ok('engine', `${engine}, clocks agree`);
  return bad(
    'engine',
    `${engine}: this machine's clock is ${seconds} s off, so grants are refused: correct the clock`,
  );
};

/** Whether rooms need a token, tested without one; or a fault that prevents the test. */
const findAccess = async ({
  probe,
  channel,
  engine,
}: Examined): Promise<'open' | 'closed' | Finding> => {
  const read = await probe.readHistory(channel, '');
  if (read.ok) return 'open';
  if (says(read.error, /invalid subscribe key/i)) {
    return bad('keys', `the engine does not know PUBNUB_SUBSCRIBE_KEY (${describe(read.error)})`);
  }
  if (says(read.error, /not enabled/i)) return 'open';
  if (read.error.kind !== 'refused' || read.error.status !== 403) {
    return bad('engine', `${engine} ${describe(read.error)}`);
  }
  return 'closed';
};

/**
 * A publish key of another keyset also produces an invalid signature. A publish may distinguish the
 * two: it is undocumented whether the service checks the key or the token first.
 */
const isWrongPublishKey = async ({ probe, channel }: Examined): Promise<boolean> => {
  const sent = await probe.publish(channel, '');
  return !sent.ok && says(sent.error, /invalid key/i);
};

const WRONG_PUBLISH_KEY = bad('keys', 'PUBNUB_PUBLISH_KEY does not belong to this keyset');

/** A token for the doctor's rooms, or the reason why there is none. */
const findToken = async (examined: Examined): Promise<string | Finding> => {
  const { access, pattern } = examined;
  const wanted = { uid: DOCTOR_UID, minutes: 1, pattern, channels: [] };
  const granted = await access?.grant(wanted);
  if (granted === undefined) return '';
  if (granted.ok) return granted.value;
  const refusal = `the engine ${describe(granted.error)}`;
  if (granted.error.kind !== 'refused') return bad('access', refusal);
  if (granted.error.status !== 403) return bad('access', `no token was granted: ${refusal}`);
  return (await isWrongPublishKey(examined))
    ? WRONG_PUBLISH_KEY
    : bad(
        'keys',
        `PUBNUB_SECRET_KEY or PUBNUB_PUBLISH_KEY does not belong to this keyset: ${refusal}`,
      );
};

const checkAccess = ({ access }: Examined, kind: 'open' | 'closed'): Finding => {
  if (access === undefined) {
    return kind === 'open'
      ? note('access', 'open: anyone with the two public keys can read and write every room')
      : bad('access', 'the rooms require tokens: set PUBNUB_SECRET_KEY');
  }
  return kind === 'open'
    ? bad('access', `the Access Manager is off, so every room is open to everyone: ${SWITCH_ON}`)
    : ok('access', 'a one-minute token was granted, and no room opens without a token');
};

const checkHistory = async ({ probe, channel }: Examined, token: string): Promise<Finding> => {
  const read = await probe.readHistory(channel, token);
  if (read.ok) return ok('history', 'Message Persistence is on');
  return says(read.error, /not enabled/i)
    ? bad('history', `Message Persistence is off, so no history is stored: ${SWITCH_ON}`)
    : bad('history', `the history ${describe(read.error)}`);
};

/** Subscribes under a name, publishes, and waits for the message. */
const receives = async (
  { probe, channel }: Examined,
  name: string,
  token: string,
): Promise<boolean | EngineFault> => {
  const start = await probe.subscribe(name, token);
  if (!start.ok) return start.error;
  const sent = await probe.publish(channel, token);
  if (!sent.ok) return sent.error;
  const batch = await probe.subscribe(name, token, start.value);
  if (batch.ok) return batch.value.m.length > 0;
  return batch.error.kind === 'timeout' ? false : batch.error;
};

const checkStream = async (examined: Examined, token: string): Promise<Finding> => {
  const received = await receives(examined, examined.channel, token);
  if (received === true) return ok('messages', 'a test message came back; it was not stored');
  if (received === false)
    return bad('messages', 'a test message was published but did not come back');
  if (says(received, /invalid key/i)) return WRONG_PUBLISH_KEY;
  return says(received, /depth/i)
    ? bad(
        'messages',
        `CHANNEL_TEMPLATE has too many dots for wildcards: the engine ${describe(received)}`,
      )
    : bad('messages', `the engine ${describe(received)}`);
};

/**
 * People with many clients need wildcards; the service's answer without the add-on is undocumented.
 */
const checkWildcards = async (examined: Examined, token: string): Promise<Finding> => {
  const { wildcard } = examined;
  const some = 'staff with more than ten clients need wildcards';
  if (wildcard === undefined)
    return note('wildcards', `not possible with this CHANNEL_TEMPLATE; ${some}`);
  if ((await receives(examined, wildcard, token)) === true) return ok('wildcards', 'on');
  return note(
    'wildcards',
    `no messages arrive (Stream Controller may be off); ${some}: ${SWITCH_ON}`,
  );
};

const checkRevoking = async ({ access }: Examined, token: string): Promise<readonly Finding[]> => {
  if (access === undefined || token === '') return [];
  const revoked = await access.revoke(token);
  if (revoked.ok) return [ok('tokens', 'revoked at sign-out')];
  const text =
    'stay valid for up to 15 minutes after sign-out ("Revoke v3 Token" may be off): the engine';
  return [note('tokens', `${text} ${describe(revoked.error)}`)];
};

const examine = async (examined: Examined): Promise<readonly Finding[]> => {
  const clock = await checkClock(examined);
  if (clock.state === 'bad') return [clock];
  const kind = await findAccess(examined);
  if (typeof kind !== 'string') return kind.name === 'engine' ? [kind] : [clock, kind];
  const access = checkAccess(examined, kind);
  if (examined.access === undefined && kind === 'closed') return [clock, access];
  const token = kind === 'closed' ? await findToken(examined) : '';
  if (typeof token !== 'string') return [clock, token];
  const stream = await checkStream(examined, token);
  const history = await checkHistory(examined, token);
  if (stream.state === 'bad') return [clock, access, stream, history];
  const wildcards = await checkWildcards(examined, token);
  return [clock, access, stream, history, wildcards, ...(await checkRevoking(examined, token))];
};

/**
 * Checks everything that the hosted engine must provide, in the doctor's own rooms, and names
 * the fault: a key, an add-on, a foreign answer, or no answer.
 */
export const checkEngine = (
  keyset: HostedKeyset,
  { channelTemplate }: Pick<Config, 'channelTemplate'>,
): Promise<readonly Finding[]> => {
  const channel = toChannel(channelTemplate, toRoomKey(DOCTOR_UID, 'team'));
  const { secretKey } = keyset;
  return examine({
    engine: toEngineUrl(keyset),
    probe: createEngineProbe(keyset),
    access: secretKey === undefined ? undefined : createAccessManager(keyset, secretKey, Date.now),
    channel,
    wildcard: isWildcardTemplate(channelTemplate) ? channel.replace(/\.team$/, '.*') : undefined,
    pattern: toAccessPattern(channelTemplate, [DOCTOR_UID]),
  });
};
