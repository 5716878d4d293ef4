import type { BrowserContext, ConsoleMessage } from 'playwright-core';

/** What the browser and the session client report while the network or the server is away. */
export const NETWORK_AWAY = /net::ERR_|CLIENT_FETCH_ERROR/;

/** Collects what must not happen in any page: console errors, exceptions, CSP violations. */
export interface ProblemWatch {
  /** From now on, problems that match are part of the test; CSP violations never are. */
  allow(pattern: RegExp): void;
  /** The problems since the last call. */
  take(): readonly string[];
}

const CSP = /content security policy/i;

const describe = (message: ConsoleMessage): string =>
  `console.error: ${message.text()} (${message.location().url})`;

/** Watches every page of a context, now and later. */
export const watchProblems = (): ProblemWatch & { attach(context: BrowserContext): void } => {
  const allowed: RegExp[] = [];
  let problems: string[] = [];
  const note = (problem: string): void => {
    const expected = !CSP.test(problem) && allowed.some((pattern) => pattern.test(problem));
    if (!expected) problems.push(problem);
  };
  return {
    attach: (context) => {
      context.on('console', (message) => {
        if (message.type() === 'error' || CSP.test(message.text())) note(describe(message));
      });
      context.on('weberror', (error) => note(`exception: ${error.error().stack ?? ''}`));
    },
    allow: (pattern) => void allowed.push(pattern),
    take: () => {
      const taken = problems;
      problems = [];
      return taken;
    },
  };
};
