import type { Reporter, TestCase } from 'vitest/node';

/** Between two lines, ms: enough to see that a suite goes on, without a line for every test. */
const EVERY_MS = 20_000;

/** A reporter that says how far a suite is: the others say nothing before the end of a file. */
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
