import { startPubnubEngine } from './pubnub-engine.ts';
import { describeRealtimeContract } from './realtime-contract.ts';

describeRealtimeContract('hosted engine', async () => {
  const engine = await startPubnubEngine();
  let taken = 0;
  return {
    staff: { uid: 'u_staff', realtime: engine.connect('u_staff') },
    other: { uid: 'u_other', realtime: engine.connect('u_other') },
    takeClientId: () => `c_${(taken += 1)}`,
    close: () => engine.close(),
  };
});
