import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { FAULT_CASES } from './cases/fault-cases.ts';
import { COUNT_CASES, HISTORY_CASES, NEWEST_CASES } from './cases/history-cases.ts';
import { OWN_CASES, STAFF_CASES } from './cases/mark-cases.ts';
import { PUBLISH_CASES } from './cases/publish-cases.ts';
import { type EngineUnderTest, openHarness } from './realtime-harness.ts';
import { STREAM_CASES } from './cases/stream-cases.ts';

const GROUPS = {
  publish: PUBLISH_CASES,
  history: HISTORY_CASES,
  'newest pages': NEWEST_CASES,
  counts: COUNT_CASES,
  stream: STREAM_CASES,
  own: OWN_CASES,
  staff: STAFF_CASES,
  fault: FAULT_CASES,
} as const;

/** The contract of every engine behind the Realtime port. */
export const describeRealtimeContract = (
  name: string,
  startEngine: () => Promise<EngineUnderTest>,
): void => {
  describe(`Realtime port: ${name}`, () => {
    let engine: EngineUnderTest;
    beforeAll(async () => {
      engine = await startEngine();
      const lines = Object.entries(GROUPS).flatMap(([group, cases]) =>
        Object.keys(cases).map((title) => `  ${group} ${title}`),
      );
      console.info(`Realtime port, ${name}: ${lines.length} cases\n${lines.join('\n')}`);
    });
    afterAll(() => engine.close());
    describe.each(Object.entries(GROUPS))('%s', (_group, cases) => {
      test.each(Object.entries(cases))('%s', async (_title, run) => {
        expect.hasAssertions();
        engine.wire.heal();
        const work = () => run(openHarness(engine));
        await (engine.run?.(work) ?? work());
      });
    });
  });
};
