import type { WireFault } from '#tests/support/services/fault-proxy.ts';

import { startRealEngine } from '../real-engine.ts';
import { describeRealtimeContract } from '../realtime-contract.ts';
import type { Trouble } from '../realtime-harness.ts';

const FAULTS: Readonly<Record<Trouble, WireFault>> = {
  busy: { kind: 'status', status: 429 },
  failing: { kind: 'status', status: 503 },
  portal: { kind: 'portal' },
  malformed: { kind: 'status', status: 200 },
  stalled: { kind: 'stall' },
  expired: { kind: 'status', status: 401 },
  refused: { kind: 'status', status: 403 },
  lost: { kind: 'swallow' },
  doubled: { kind: 'duplicate' },
};

describeRealtimeContract('embedded engine', async () => {
  const engine = await startRealEngine();
  let taken = 0;
  return {
    staff: await engine.signIn('u_staff'),
    second: await engine.signIn('u_staff'),
    other: await engine.signIn('u_other'),
    takeClientId: () => `c_${(taken += 1)}`,
    wire: {
      break: (call, trouble) =>
        void engine.proxy.break(new RegExp(`/api/realtime/${call}`), FAULTS[trouble]),
      heal: () => engine.proxy.heal(),
    },
    close: () => engine.close(),
  };
});
