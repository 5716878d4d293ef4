import type { PubnubEndpoint } from '#tests/support/pubnub/endpoint.ts';
import {
  answerWith,
  type Fault,
  portal,
  refuseWith,
  stall,
  swallow,
} from '#tests/support/pubnub/faults.ts';

import { startPubnubEngine } from './engine.ts';
import { describeRealtimeContract } from '../realtime-contract.ts';
import type { Call, Trouble } from '../realtime-harness.ts';

/** Performs the request, and stores the message once more. */
const double =
  ({ log }: PubnubEndpoint): Fault =>
  async (_exchange, serve) => {
    const give = await serve();
    const { channel, publisher, message } = log.messages.at(-1)!;
    log.append(channel, publisher, message);
    give();
  };

const toFault = (endpoint: PubnubEndpoint, trouble: Trouble): Fault =>
  ({
    busy: refuseWith(429),
    failing: refuseWith(503),
    portal: portal(),
    malformed: answerWith('{"t":'),
    stalled: stall,
    expired: refuseWith(403, { message: 'Token is expired.' }),
    refused: refuseWith(403, { message: 'Forbidden', payload: { channels: [] } }),
    lost: swallow,
    doubled: double(endpoint),
  })[trouble];

const toOperation = (call: Call) => (call === 'stream' ? 'handshake' : call);

describeRealtimeContract('hosted engine', async () => {
  const engine = await startPubnubEngine();
  const { endpoint } = engine;
  let taken = 0;
  return {
    staff: { uid: 'u_staff', realtime: engine.connect('u_staff') },
    second: { realtime: engine.connect('u_staff') },
    other: { uid: 'u_other', realtime: engine.connect('u_other') },
    takeClientId: () => `c_${(taken += 1)}`,
    wire: {
      break: (call, trouble) =>
        endpoint.faults.break(toOperation(call), toFault(endpoint, trouble)),
      heal: () => endpoint.faults.heal(),
    },
    close: () => engine.close(),
  };
});
