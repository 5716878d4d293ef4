import '#tests/simulation/world/globals.ts';

import type { AppError } from '#domain/errors.ts';
import type { MarkLog, Realtime } from '#domain/ports/network.ts';
import { fail, type Result } from '#domain/result.ts';
import type { MarkLogName } from '#domain/schemas/mark-log.ts';
import { Attempts } from '#tests/simulation/world/attempts.ts';
import { SimEngine } from '#tests/simulation/world/engine.ts';
import { type NetworkClient, SimNetwork } from '#tests/simulation/world/network.ts';
import { SimRandom } from '#tests/simulation/world/random.ts';
import { createSimRealtime } from '#tests/simulation/world/realtime.ts';
import { createLane, Scheduler } from '#tests/simulation/world/scheduler.ts';
import { SimServer } from '#tests/simulation/world/server.ts';

import { describeRealtimeContract } from './realtime-contract.ts';
import { type Call, CALLS, type Trouble } from './realtime-harness.ts';

const START_MS = 1_800_000_000_000;
const SEED = 1;

const ANSWERS: Readonly<Partial<Record<Trouble, AppError>>> = {
  busy: { kind: 'limited', retryAfterMs: 1000 },
  failing: { kind: 'server', status: 503 },
  portal: { kind: 'malformed', detail: 'a page instead of JSON' },
  malformed: { kind: 'malformed', detail: 'an answer' },
  expired: { kind: 'unauthenticated' },
  refused: { kind: 'forbidden' },
};

/** The simulation's network, which always fails in one way. */
class TroubledNetwork extends SimNetwork {
  trouble: Trouble | undefined;

  override send<T>(
    client: NetworkClient,
    serve: () => Result<T, AppError>,
    cancel?: AbortSignal,
  ): Promise<Result<T, AppError>> {
    const { trouble } = this;
    this.breakdown = trouble === 'stalled' ? 'silent' : undefined;
    const answer = trouble && ANSWERS[trouble];
    if (answer !== undefined) return super.send(client, () => fail(answer), cancel);
    if (trouble === 'lost') serve();
    if (trouble === 'lost') return super.send(client, () => fail({ kind: 'unreachable' }), cancel);
    if (trouble === 'doubled') serve();
    return super.send(client, serve, cancel);
  }
}

type Networks = Readonly<Record<Call, TroubledNetwork>>;

const combineLogs = (engines: Readonly<Record<Call, Realtime>>, name: MarkLogName): MarkLog => ({
  publish: (...given) => engines.publish[name].publish(...given),
  read: (...given) => engines.history[name].read(...given),
  watch: (listener) => engines.stream[name].watch(listener),
});

/** One adapter whose calls use separate networks, so that each may fail alone. */
const combine = (engines: Readonly<Record<Call, Realtime>>): Realtime => ({
  idempotent: engines.publish.idempotent,
  complete: engines.stream.complete,
  publish: (...given) => engines.publish.publish(...given),
  readHistory: (...given) => engines.history.readHistory(...given),
  readNewest: (...given) => engines.history.readNewest(...given),
  countSince: (...given) => engines.counts.countSince(...given),
  openStream: (...given) => engines.stream.openStream(...given),
  own: combineLogs(engines, 'own'),
  staff: combineLogs(engines, 'staff'),
  renewToken: () => {
    for (const call of CALLS) engines[call].renewToken();
  },
});

/** The engine of the simulation, whose time advances only while a case runs. */
const startSimulated = (traits: SimEngine['traits']) => {
  const random = new SimRandom(SEED, 'contract');
  const scheduler = new Scheduler(START_MS, random);
  const network = () => new TroubledNetwork(scheduler, random);
  const networks: Networks = {
    publish: network(),
    history: network(),
    counts: network(),
    stream: network(),
  };
  const engine = new SimEngine(scheduler, random, traits);
  const server = new SimServer(scheduler);
  const connect = (uid: string): Realtime => {
    const cookie = server.signIn(uid);
    const through = (call: Call) =>
      createSimRealtime({
        network: networks[call],
        server,
        engine,
        client: { lane: createLane(uid), device: { isOffline: false }, sentAt: [] },
        findCookie: () => cookie,
        clock: { now: () => scheduler.now },
        findUid: () => uid,
        onRefused: () => undefined,
        attempts: new Attempts(),
        onBlindRepeat: () => undefined,
        channels: new Set(),
      });
    return combine({
      publish: through('publish'),
      history: through('history'),
      counts: through('counts'),
      stream: through('stream'),
    });
  };
  const run = async (work: () => Promise<void>): Promise<void> => {
    let isOver = false;
    const done = work().finally(() => {
      isOver = true;
    });
    // A wait that never ends is reported in virtual time.
    done.catch(() => undefined);
    await scheduler.runUntil(Infinity, () => isOver);
    await done;
  };
  return { networks, connect, run };
};

const TRAITS = {
  'simulated engine that stores once': { idempotent: true, forgetful: false },
  'simulated engine that stores twice and forgets': {
    idempotent: false,
    forgetful: true,
  },
} as const;

for (const [name, traits] of Object.entries(TRAITS)) {
  describeRealtimeContract(name, () => {
    const { networks, connect, run } = startSimulated(traits);
    let taken = 0;
    return Promise.resolve({
      staff: { uid: 'u_staff', realtime: connect('u_staff') },
      second: { realtime: connect('u_staff') },
      other: { uid: 'u_other', realtime: connect('u_other') },
      takeClientId: () => `c_${(taken += 1)}`,
      wire: {
        break: (call, trouble) => {
          networks[call].trouble = trouble;
        },
        heal: () => {
          for (const call of CALLS) networks[call].trouble = undefined;
        },
      },
      run,
      close: () => Promise.resolve(),
    });
  });
}
