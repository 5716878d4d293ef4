import { expect } from 'vitest';

import type { AppError } from '#domain/errors.ts';
import type { Result } from '#domain/result.ts';
import { fromEpochMs } from '#domain/timetoken.ts';
import { recordSignals } from '#tests/support/signal-recorder.ts';

import {
  type Call,
  CALLS,
  type Case,
  countShown,
  type Harness,
  mustGet,
  never,
  toPayload,
  toTexts,
  type Trouble,
} from '../realtime-harness.ts';

/** Transient errors: the same request may succeed later. */
const PASSING: ReadonlySet<AppError['kind']> = new Set([
  'unreachable',
  'timeout',
  'server',
  'limited',
  'malformed',
]);
/** Errors that another token or session may resolve. */
const REFUSED: ReadonlySet<AppError['kind']> = new Set(['unauthenticated', 'forbidden']);

const TROUBLES = {
  'too many requests': 'busy',
  'a failing service': 'failing',
  'a captive portal': 'portal',
  'a malformed answer': 'malformed',
  'an answer that stalls': 'stalled',
} as const satisfies Readonly<Record<string, Trouble>>;

const REFUSALS = {
  'an expired token': 'expired',
  'a refused token': 'refused',
} as const satisfies Readonly<Record<string, Trouble>>;

type Outcome = Result<unknown, AppError>;

/** One attempt; for a stream, until it is alive or ended. */
const attempt = async (harness: Harness, call: Call): Promise<Outcome> => {
  const { realtime, room } = harness;
  if (call === 'publish') return realtime.publish(room, toPayload('tried'), never);
  if (call === 'history') return realtime.readHistory({ room, count: 1 }, never);
  if (call === 'counts') return realtime.countSince(new Map([[room, fromEpochMs(1)]]), never);
  const stream = recordSignals(realtime);
  await stream.until((signals) => signals.length > 0);
  stream.stop();
  const [first] = stream.signals;
  return first?.type === 'ended' ? { ok: false, error: first.error } : { ok: true, value: first };
};

const expectError = (outcome: Outcome, kinds: ReadonlySet<AppError['kind']>): void => {
  if (outcome.ok) throw new Error('went through all the same');
  expect(kinds).toContain(outcome.error.kind);
};

const passes =
  (call: Call, trouble: Trouble): Case =>
  async (harness) => {
    await harness.publish('known');
    harness.engine.wire.break(call, trouble);
    expectError(await attempt(harness, call), PASSING);
    harness.engine.wire.heal();
    expect((await attempt(harness, call)).ok).toBe(true);
  };

const asksForToken =
  (call: Call, trouble: Trouble): Case =>
  async (harness) => {
    await harness.publish('known');
    harness.engine.wire.break(call, trouble);
    expectError(await attempt(harness, call), REFUSED);
    harness.engine.wire.heal();
    harness.realtime.renewToken();
    expect((await attempt(harness, call)).ok).toBe(true);
  };

const forEachCall = (
  troubles: Readonly<Record<string, Trouble>>,
  toCase: (call: Call, trouble: Trouble) => Case,
): readonly (readonly [string, Case])[] =>
  Object.entries(troubles).flatMap(([what, trouble]) =>
    CALLS.map((call) => [`${call} met by ${what}`, toCase(call, trouble)] as const),
  );

/** A stream whose response stalls cannot report this; it must claim nothing meanwhile. */
const claimsNothing: Case = async (harness) => {
  await harness.publish('known');
  harness.engine.wire.break('stream', 'stalled');
  const stream = recordSignals(harness.realtime);
  await harness.publishAll(['one', 'two', 'three']);
  expect((await harness.history(25)).entries).toHaveLength(4);
  expect(stream.signals.filter(({ type }) => type !== 'ended')).toEqual([]);
  stream.stop();
  harness.engine.wire.heal();
  expect((await attempt(harness, 'stream')).ok).toBe(true);
};

export const FAULT_CASES: Readonly<Record<string, Case>> = {
  ...Object.fromEntries(forEachCall(TROUBLES, passes)),
  ...Object.fromEntries(forEachCall(REFUSALS, asksForToken)),
  'stream met by an answer that stalls': claimsNothing,
  'publish whose answer is lost has arrived, and a repeat is shown once': async (harness) => {
    const payload = toPayload('lost');
    await harness.publish('known');
    harness.engine.wire.break('publish', 'lost');
    expectError(await harness.realtime.publish(harness.room, payload, never), PASSING);
    harness.engine.wire.heal();
    expect(toTexts((await harness.history(10)).entries)).toEqual(['known', 'lost']);
    mustGet(await harness.realtime.publish(harness.room, payload, never));
    const { entries } = await harness.history(10);
    expect(entries).toHaveLength(harness.realtime.idempotent ? 2 : 3);
    expect(countShown(entries)).toBe(2);
  },
  'publish that the wire doubles is shown once': async (harness) => {
    const stream = recordSignals(harness.realtime, await harness.publish('known'));
    await stream.untilBeat();
    harness.engine.wire.break('publish', 'doubled');
    const timetoken = await harness.publish('doubled');
    harness.engine.wire.heal();
    await harness.publish('after');
    await stream.until(() => toTexts(stream.entries()).includes('after'));
    const { entries } = await harness.history(10);
    expect(countShown(entries)).toBe(3);
    expect(countShown(stream.entries())).toBe(2);
    expect(entries.some((entry) => entry.timetoken === timetoken)).toBe(true);
    stream.stop();
  },
};
