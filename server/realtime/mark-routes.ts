import { fail, ok, type Result } from '#domain/result.ts';
import type { MarkLogName } from '#domain/schemas/mark-log.ts';

import { serve, type ServerApp, type ServerContext } from '../http/answers.ts';
import type { Refusal } from './access.ts';
import { answerStored, type Engine, findBearer, refuse } from './engine.ts';
import { type MarkDraft, STAFF } from './log/mark-log.ts';
import { toFrame } from './pages.ts';
import { parseMarkPublish } from './publish-request.ts';
import { parseMarkQuery } from './queries.ts';
import type { Bearer } from './token.ts';

/** The owner of a path's log, for the holder of a token. */
type FindOwner = (bearer: Bearer) => Result<string, Refusal>;

/** Clients have neither log. */
const OWNERS: Readonly<Record<MarkLogName, FindOwner>> = {
  own: (bearer) =>
    bearer.kind === 'staff'
      ? ok(bearer.uid)
      : fail({ status: 403, text: 'A client has no user log.' }),
  staff: (bearer) =>
    bearer.kind === 'staff'
      ? ok(STAFF)
      : fail({ status: 403, text: 'A client may not use the staff log.' }),
};

const readDraft = async (
  c: ServerContext,
  owner: Result<string, Refusal>,
): Promise<Result<MarkDraft, Refusal>> => {
  if (!owner.ok) return owner;
  const request = parseMarkPublish(await c.req.text());
  return request.ok ? ok({ owner: owner.value, ...request.value }) : request;
};

/** `GET`: one page of the log. Stored payloads are copied, not parsed again. */
const answerRead = (engine: Engine, c: ServerContext, findOwner: FindOwner): Response => {
  const bearer = findBearer(engine, c);
  if (!bearer.ok) return refuse(c, bearer.error);
  const owner = findOwner(bearer.value);
  if (!owner.ok) return refuse(c, owner.error);
  const query = parseMarkQuery(c.req.query());
  if (!query.ok) return refuse(c, query.error);
  const { rows, more } = engine.marks.read(owner.value, query.value);
  const entries = rows.map(
    ({ timetoken, payload }) => `{"timetoken":"${timetoken}","payload":${payload}}`,
  );
  const headers = { 'content-type': 'application/json' };
  return c.body(`{"entries":[${entries.join(',')}],"more":${more}}`, 200, headers);
};

/**
 * Serves the user logs and the staff log, and notifies the streams concerned when one grows.
 * Returns a function that stops the notifications.
 */
export const serveMarkLogs = (routes: ServerApp, engine: Engine): (() => void) => {
  for (const [name, findOwner] of Object.entries(OWNERS)) {
    serve(routes, `/${name}`, {
      GET: (c) => answerRead(engine, c, findOwner),
      // Idempotent by id, as a publish to a room.
      POST: (c) =>
        answerStored(engine, c, {
          read: (bearer) => readDraft(c, findOwner(bearer)),
          store: (draft) => engine.marks.publish(draft),
        }),
    });
  }
  return engine.marks.onAppend((owner, timetoken) => {
    const frame = toFrame(owner === STAFF ? 'staff' : 'own', `{"timetoken":"${timetoken}"}`);
    // Runs after the acknowledgements of the commit, because people wait for those.
    setImmediate(() => {
      if (owner === STAFF) engine.streams.notifyStaff(frame);
      else engine.streams.notifyUser(owner, frame);
    });
  });
};
