import type { Handler } from 'hono';
import * as z from 'zod';

import { parseJson } from '#domain/schemas/json.ts';

import { answerError, type ServerEnv } from './answers.ts';
import { findClientAddress } from './client-address.ts';
import {
  PAGE_REPORTS_PER_ADDRESS,
  PAGE_REPORTS_WINDOW_MS,
  POLICY_REPORT_LENGTH_MAX,
  POLICY_LINES_PER_DIRECTIVE,
  POLICY_REPORTS_WINDOW_MS,
} from '../kernel/limits.ts';
import { createMemoryLimiter, takeFrom, toRetryAfter } from '../limiting/limiters.ts';
import type { Log } from '../kernel/log.ts';
import { isFromOwnPage, type Origins } from './origins.ts';
import { toLogText } from '../kernel/log-text.ts';

/** Where browsers report content policy violations. */
export const POLICY_REPORTS_PATH = '/api/policy-reports';

interface Violation {
  readonly directive: string;
  readonly blocked: string;
}

const text = z.string().optional();
/** `report-uri` of Content Security Policy 2, the only form that some browsers support. */
const oldSchema = z.object({
  'csp-report': z.object({
    'effective-directive': text,
    'violated-directive': text,
    'blocked-uri': text,
  }),
});
/** The Reporting API: several reports at once, of several types. */
const newSchema = z.array(
  z.object({
    type: z.string(),
    body: z.object({ effectiveDirective: text, blockedURL: text }),
  }),
);

/** An address without its path, which may be confidential; or a keyword. */
const toBlocked = (value: string): string =>
  toLogText(URL.canParse(value) ? new URL(value).origin : value, POLICY_REPORT_LENGTH_MAX);

/** The directives that a violation can name (Content Security Policy 3, section 6). */
const DIRECTIVES: ReadonlySet<string> = new Set(
  (
    'default-src script-src script-src-elem script-src-attr style-src style-src-elem ' +
    'style-src-attr img-src font-src connect-src media-src object-src child-src frame-src ' +
    'worker-src manifest-src base-uri form-action frame-ancestors sandbox ' +
    'require-trusted-types-for trusted-types'
  ).split(' '),
);
/** `violated-directive` may include the sources of the directive. */
const toDirective = (written = ''): string => {
  const [name = ''] = written.split(' ', 1);
  return DIRECTIVES.has(name) ? name : 'unknown';
};

const toViolation = (directive: string | undefined, blocked: string | undefined): Violation => ({
  directive: toDirective(directive),
  blocked: toBlocked(blocked ?? ''),
});

/** The violations in a report; undefined for anything else. */
const parseReports = (body: string): readonly Violation[] | undefined => {
  const value = parseJson(body);
  const old = oldSchema.safeParse(value);
  if (old.success) {
    const report = old.data['csp-report'];
    const directive = report['effective-directive'] ?? report['violated-directive'];
    return [toViolation(directive, report['blocked-uri'])];
  }
  const reports = newSchema.safeParse(value);
  return reports.data
    ?.filter(({ type }) => type === 'csp-violation')
    .map(({ body: { effectiveDirective, blockedURL } }) =>
      toViolation(effectiveDirective, blockedURL),
    );
};

/**
 * Logs each kind of violation once an hour. Anyone can report: invented kinds use up the lines of
 * one directive for one hour at most.
 */
const createPolicyLog = (log: Pick<Log, 'warn'>) => {
  const windowMs = POLICY_REPORTS_WINDOW_MS;
  const kinds = createMemoryLimiter({ name: 'policy-kinds', points: 1, windowMs });
  const points = POLICY_LINES_PER_DIRECTIVE;
  const lines = createMemoryLimiter({ name: 'policy-lines', points, windowMs });
  return async (violation: Violation): Promise<void> => {
    const { directive, blocked } = violation;
    if (!(await takeFrom(kinds, `${directive} ${blocked}`)).ok) return;
    if ((await takeFrom(lines, directive)).ok) log.warn(violation, 'content policy violation');
  };
};

/**
 * `POST /api/policy-reports`: 204. Logs directive and blocked origin at level 40, each pair once an
 * hour; 400 for an invalid report, 403 from foreign pages, 429 above the limit per address.
 */
export const createPolicyReportHandler = ({
  origins,
  log,
}: {
  readonly origins: Origins;
  readonly log: Pick<Log, 'warn'>;
}): Handler<ServerEnv> => {
  const limiter = createMemoryLimiter({
    name: 'policy-reports',
    points: PAGE_REPORTS_PER_ADDRESS,
    windowMs: PAGE_REPORTS_WINDOW_MS,
  });
  const write = createPolicyLog(log);
  return async (c) => {
    if (!isFromOwnPage(c.req.raw, origins)) return answerError(c, 403, 'Foreign page');
    const taken = await takeFrom(limiter, findClientAddress(c.env.incoming, origins.isSecure));
    if (!taken.ok) {
      return answerError(c, 429, 'Too many reports', { 'retry-after': toRetryAfter(taken) });
    }
    const violations = parseReports(await c.req.text());
    if (violations === undefined) return answerError(c, 400, 'Expected a report');
    for (const violation of violations) await write(violation);
    return c.body(null, 204);
  };
};
