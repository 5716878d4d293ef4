import { Hono } from 'hono';

import { ROUTES } from '#domain/routes.ts';
import { toCallbackPath } from '#domain/rules/callback-url.ts';
import type { Session } from '#domain/schemas/session.ts';

import {
  answerError,
  serve,
  type ServerApp,
  type ServerContext,
  type ServerEnv,
} from '../http/answers.ts';
import type { SessionIdentity } from '../kernel/contracts.ts';
import { auditSignIns, auditSignOuts } from '../observe/audit.ts';
import type { AuthDeps } from './auth-deps.ts';
import { createClientLogHandler } from './client-log.ts';
import { createCallbackHandler, createSignInHandler, PROVIDER } from './sign-in.ts';
import { readTrustedForm } from './trusted-form.ts';
import { answerUrl, AUTH_BASE } from './url-answer.ts';

const toSession = ({ user, expires }: SessionIdentity): Session => ({
  user: {
    uid: user.uid,
    name: user.name ?? null,
    email: user.email ?? null,
    image: user.image ?? null,
    role: user.role ?? 'team',
  },
  expires: new Date(expires).toISOString(),
});

const ERROR_NAME = /^\w{1,64}$/;

/**
 * Redirects a browser to the sign-in page; keeps the query's callback URL, and its error if that is
 * a plain name.
 */
const showSignIn = (c: ServerContext, { origins }: AuthDeps): Response => {
  const base = origins.of(c.req.raw);
  const page = new URL(ROUTES.login, base);
  const error = c.req.query('error') ?? '';
  const callbackUrl = c.req.query('callbackUrl');
  if (ERROR_NAME.test(error)) page.searchParams.set('error', error);
  if (callbackUrl !== undefined) {
    page.searchParams.set('callbackUrl', `${base}${toCallbackPath(callbackUrl, base)}`);
  }
  return c.redirect(page.href);
};

const createSignOutHandler = (deps: AuthDeps) => async (c: ServerContext) => {
  const form = await readTrustedForm(c, deps);
  if (form instanceof Response) return form;
  await deps.sessions.end(c);
  return answerUrl(c, form.callbackUrl);
};

const listProviders = (base: string) => ({
  [PROVIDER]: {
    id: PROVIDER,
    name: 'Email and password',
    type: 'credentials',
    signinUrl: `${base}${AUTH_BASE}/signin/${PROVIDER}`,
    callbackUrl: `${base}${AUTH_BASE}/callback/${PROVIDER}`,
  },
});

/**
 * The session endpoints (spec §7), to be mounted at /api/auth. Posts take form-encoded
 * `csrfToken`, `callbackUrl`, `json=true` and answer JSON `{url}`, absolute, with an `error`
 * query after a refusal.
 */
export const createAuthRoutes = (deps: AuthDeps): ServerApp => {
  const { sessions, csrf, origins, audit } = deps;
  const app = new Hono<ServerEnv>();
  serve(app, '/session', {
    GET: async (c) => {
      const session = await sessions.readAndRenew(c);
      return c.json(session === undefined ? {} : toSession(session));
    },
  });
  serve(app, '/keys', {
    GET: async (c) => {
      const session = await sessions.read(c.req.raw);
      return session === undefined
        ? answerError(c, 401, 'Sign in first')
        : c.json(deps.findPersonalKeys(session.user.uid));
    },
  });
  serve(app, '/csrf', {
    GET: async (c) => {
      const session = await sessions.read(c.req.raw);
      return c.json({ csrfToken: csrf.issue(c, session?.sid) });
    },
  });
  serve(app, '/providers', { GET: (c) => c.json(listProviders(origins.of(c.req.raw))) });
  app.use('/callback/:provider?', auditSignIns(audit, 'sign-in'));
  app.use('/signin/:provider?', auditSignIns(audit, 'page'));
  app.use('/signout', auditSignOuts(audit, sessions));
  serve(app, '/callback/:provider?', { POST: createCallbackHandler(deps) });
  serve(app, '/signin/:provider?', {
    GET: (c) => showSignIn(c, deps),
    POST: createSignInHandler(deps),
  });
  serve(app, '/error', { GET: (c) => showSignIn(c, deps) });
  serve(app, '/signout', { POST: createSignOutHandler(deps) });
  serve(app, '/_log', { POST: createClientLogHandler(deps) });
  return app;
};
