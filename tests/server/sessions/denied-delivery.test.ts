import { expect, test } from 'vitest';

import { createDenialDelivery } from '#server/denied/delivery.ts';
import { createLog } from '#server/kernel/log.ts';

test('a stop waits for the sign-out that is being written, and for pending ones', async () => {
  const written: string[] = [];
  const turn = Promise.withResolvers<undefined>();
  const delivery = createDenialDelivery(async ([mark]) => {
    await turn.promise;
    written.push(mark);
  }, createLog('silent'));
  const delivered = ['first', 'second'].map((mark) => delivery.deliver([mark, 1]));
  setImmediate(() => turn.resolve(undefined));
  await delivery.close();
  expect(written).toEqual(['first', 'second']);
  await Promise.all(delivered);
});
