import { fail, ok, type Result } from '#domain/result.ts';

import { serve, type ServerApp, type ServerContext } from '../http/answers.ts';
import type { Refusal } from './access.ts';
import { answerStored, type Engine, findBearer, refuse } from './engine.ts';
import type { OwnDraft } from './log/own-log.ts';
import { toFrame } from './pages.ts';
import { parseOwnPublish } from './publish-request.ts';
import { parseOwnQuery } from './queries.ts';
import type { Bearer } from './token.ts';

/** The user whose own log the holder of a token may use: a client has none. */
const findUid = (bearer: Bearer): Result<string, Refusal> =>
  bearer.kind === 'staff'
    ? ok(bearer.uid)
    : fail({ status: 403, text: 'A client has no log of their own.' });

const readDraft = async (c: ServerContext, bearer: Bearer): Promise<Result<OwnDraft, Refusal>> => {
  const uid = findUid(bearer);
  if (!uid.ok) return uid;
  const request = parseOwnPublish(await c.req.text());
  return request.ok ? ok({ uid: uid.value, ...request.value }) : request;
};

/** `GET own`: one page of the user's own log. Stored payloads are copied, not parsed again. */
const answerRead = (engine: Engine, c: ServerContext): Response => {
  const bearer = findBearer(engine, c);
  if (!bearer.ok) return refuse(c, bearer.error);
  const uid = findUid(bearer.value);
  if (!uid.ok) return refuse(c, uid.error);
  const query = parseOwnQuery(c.req.query());
  if (!query.ok) return refuse(c, query.error);
  const { rows, more } = engine.own.read({ uid: uid.value, ...query.value });
  const entries = rows.map(
    ({ timetoken, payload }) => `{"timetoken":"${timetoken}","payload":${payload}}`,
  );
  const headers = { 'content-type': 'application/json' };
  return c.body(`{"entries":[${entries.join(',')}],"more":${more}}`, 200, headers);
};

/** Serves the own logs, and wakes a user's streams when the user's log grew; returns the end. */
export const serveOwnLog = (routes: ServerApp, engine: Engine): (() => void) => {
  serve(routes, '/own', {
    GET: (c) => answerRead(engine, c),
    // Idempotent by id, as a publish to a room.
    POST: (c) =>
      answerStored(engine, c, {
        read: (bearer) => readDraft(c, bearer),
        store: (draft) => engine.own.publish(draft),
      }),
  });
  return engine.own.onAppend((uid, timetoken) => {
    const frame = toFrame('own', `{"timetoken":"${timetoken}"}`);
    // After the acknowledgements of the commit, because people wait for those.
    setImmediate(() => engine.streams.notifyUser(uid, frame));
  });
};
