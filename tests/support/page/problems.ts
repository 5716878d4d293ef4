import type { BrowserContext, ConsoleMessage, Worker } from 'playwright-core';

/** Log lines of the browser and the session client while the network or the server is down. */
export const NETWORK_AWAY = /net::ERR_|CLIENT_FETCH_ERROR/;

/** Collects unexpected console errors and exceptions of all pages. */
export interface ProblemWatch {
  /** Expects problems that match from now on. */
  allow(pattern: RegExp): void;
  /** Removes the allowed patterns, for the next test. */
  allowNothing(): void;
  /** The problems since the last call. */
  take(): readonly string[];
}

const CSP = /content security policy/i;

const describe = (message: ConsoleMessage): string =>
  `console.error: ${message.text()} (${message.location().url})`;

/**
 * The violations of every browser of the test file; `no-policy-violations.ts` checks them after
 * each test.
 */
let violations: string[] = [];

/** The content-policy violations in any page or service worker since the last call. */
export const takePolicyViolations = (): readonly string[] => {
  const taken = violations;
  violations = [];
  return taken;
};

const BROKEN = 'Content Security Policy broken:';

/** Runs in pages and workers: only this event reports a refused program (`eval`). */
const sayBroken = (words: string): void => {
  // In a page, it bubbles up to the window.
  globalThis.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    console.error(words, effectiveDirective, blockedURI);
  });
};

/** Records content-policy violations in every page and service worker of a context. */
export const watchPolicy = async (context: BrowserContext): Promise<void> => {
  const note = (message: ConsoleMessage): void => {
    if (message.text().startsWith(BROKEN)) violations.push(describe(message));
  };
  const watchWorker = (worker: Worker): void => {
    worker.on('console', note);
    // A worker that ends at this moment reports nothing.
    worker.evaluate(sayBroken, BROKEN).catch(() => undefined);
  };
  context.on('console', note);
  context.on('serviceworker', watchWorker);
  for (const worker of context.serviceWorkers()) watchWorker(worker);
  await context.addInitScript(sayBroken, BROKEN);
};

/** Watches every page of a context, present and future. */
export const watchProblems = (): ProblemWatch & { attach(context: BrowserContext): void } => {
  let allowed: RegExp[] = [];
  let problems: string[] = [];
  const note = (problem: string): void => {
    if (!allowed.some((pattern) => pattern.test(problem))) problems.push(problem);
  };
  return {
    attach: (context) => {
      context.on('console', (message) => {
        const isPolicy = CSP.test(message.text());
        if (message.type() === 'error' && !isPolicy) note(describe(message));
      });
      context.on('weberror', (error) => note(`exception: ${error.error().stack ?? ''}`));
    },
    allow: (pattern) => void allowed.push(pattern),
    allowNothing: () => {
      allowed = [];
    },
    take: () => {
      const taken = problems;
      problems = [];
      return taken;
    },
  };
};
