import { describeRealtimeContract } from './realtime-contract.ts';
import { startRealEngine } from './real-engine.ts';

describeRealtimeContract('embedded engine', async () => {
  const engine = await startRealEngine();
  let taken = 0;
  return {
    staff: await engine.signIn('u_staff'),
    other: await engine.signIn('u_other'),
    takeClientId: () => `c_${(taken += 1)}`,
    close: () => engine.close(),
  };
});
