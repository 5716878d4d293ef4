import type { Values } from './schema.ts';
import { LOOPBACK_NAMES, toHostname } from './addresses.ts';

const SUBSCRIBE = 'PUBNUB_SUBSCRIBE_KEY';

/** Rules of the product API: its sessions need a shared secret, and it has no demo accounts. */
const findStaffConflicts = (values: Values): readonly string[] => {
  if (values.API_BASE_URL === undefined) return [];
  const conflicts: string[] = [];
  if (values.AUTH_SECRET === undefined) {
    conflicts.push('AUTH_SECRET is required with API_BASE_URL: expected at least 32 bytes');
  }
  if (values.DEMO === true) {
    conflicts.push('DEMO is "true": expected false with API_BASE_URL, whose accounts are real');
  }
  return conflicts;
};

const isLoopback = (origin: string): boolean => LOOPBACK_NAMES.has(origin.split(/[:/]/)[0] ?? '');

/** Plain http requires a custom origin; an https page may use it for its own machine only. */
const findPlainConflicts = ({ PUBNUB_ORIGIN, PUBLIC_URL }: Values): readonly string[] => {
  if (PUBNUB_ORIGIN === undefined) {
    return ['PUBNUB_SSL=false requires PUBNUB_ORIGIN'];
  }
  return PUBLIC_URL?.startsWith('https:') && !isLoopback(PUBNUB_ORIGIN)
    ? [
        'PUBNUB_SSL is "false": expected true with an https PUBLIC_URL, whose pages may not use http',
      ]
    : [];
};

/**
 * Without the secret key there are no tokens, and the two other keys are public: `/api/config`
 * returns them to anyone. That must be an explicit choice.
 */
const findOpenConflicts = (values: Values): readonly string[] => {
  const hasSecret = values.PUBNUB_SECRET_KEY !== undefined;
  if (hasSecret !== values.PUBNUB_OPEN_CHANNELS) return [];
  return hasSecret
    ? [
        'PUBNUB_OPEN_CHANNELS is "true": expected false with PUBNUB_SECRET_KEY, which closes the channels',
      ]
    : [
        'PUBNUB_SECRET_KEY is missing: without it, anyone who opens this address can read and write every room. ' +
          'Set it, or accept that with PUBNUB_OPEN_CHANNELS=true',
      ];
};

/** Rules of the hosted realtime service: both public keys, before any other of its settings. */
const findHostedConflicts = (values: Values, given: readonly string[]): readonly string[] => {
  if (values.PUBNUB_SUBSCRIBE_KEY === undefined) {
    return given
      .filter((name) => name.startsWith('PUBNUB_'))
      .map((name) => `${SUBSCRIBE} is missing: ${name} requires it`);
  }
  return [
    ...(values.PUBNUB_PUBLISH_KEY === undefined
      ? [`PUBNUB_PUBLISH_KEY is missing: ${SUBSCRIBE} requires it`]
      : []),
    ...findOpenConflicts(values),
    ...(values.PUBNUB_SSL ? [] : findPlainConflicts(values)),
  ];
};

/** An embedded server stores these in its data folder, for the only process that may use it. */
const findSharedConflicts = (values: Values): readonly string[] => {
  const isHosted = values.API_BASE_URL !== undefined && values[SUBSCRIBE] !== undefined;
  const shared = (['SIGN_OUT_DIR', 'SHARED_STORE_URL'] as const).filter(
    (name) => values[name] !== undefined,
  );
  if (!isHosted) {
    return shared.map((name) => `${name} requires API_BASE_URL and ${SUBSCRIBE}`);
  }
  return shared.length === 2
    ? ['SIGN_OUT_DIR cannot be combined with SHARED_STORE_URL, which already shares sign-outs']
    : [];
};

/** Hosts at which `http://localhost`, the default of PUBLIC_URL, reaches the server. */
const LOCAL_HOSTS: ReadonlySet<string> = new Set([
  ...LOOPBACK_NAMES,
  '[::ffff:7f00:1]',
  '0.0.0.0',
  '[::]',
]);

const findAddressConflicts = ({ HOST, PUBLIC_URL }: Values): readonly string[] => {
  // Plain http is only allowed for the loopback.
  if (PUBLIC_URL?.startsWith('https:') || LOCAL_HOSTS.has(toHostname(HOST))) return [];
  const problem =
    PUBLIC_URL === undefined
      ? `is missing: nobody can sign in at HOST=${HOST}`
      : `is ${JSON.stringify(PUBLIC_URL)}: it is not reachable there with HOST=${HOST}`;
  return [`PUBLIC_URL ${problem}. Set it to the https address that browsers use`];
};

const findSecretConflicts = (values: Values): readonly string[] =>
  values.AUTH_SECRET_PREVIOUS !== undefined && values.AUTH_SECRET === undefined
    ? ['AUTH_SECRET_PREVIOUS requires AUTH_SECRET']
    : [];

/** Conflicting settings, one line each; `given` are the names of the variables that are set. */
export const findConflicts = (values: Values, given: readonly string[]): readonly string[] => [
  ...findAddressConflicts(values),
  ...findSecretConflicts(values),
  ...findStaffConflicts(values),
  ...findHostedConflicts(values, given),
  ...findSharedConflicts(values),
];
