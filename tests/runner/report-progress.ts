import type { Reporter, TestCase } from 'vitest/node';

/** Between two lines, ms: enough to show progress without a line for every test. */
const EVERY_MS = 20_000;

/** Reports the progress of a suite: other reporters print nothing before the end of a file. */
export default class ReportProgress implements Reporter {
  #done = 0;
  #saidAt = performance.now();

  onTestCaseResult({ module, fullName }: TestCase): void {
    this.#done += 1;
    const now = performance.now();
    if (now - this.#saidAt < EVERY_MS) return;
    this.#saidAt = now;
    process.stdout.write(
      `… ${this.#done} tests done, last: ${module.relativeModuleId}: ${fullName}\n`,
    );
  }
}
