import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';

import { HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import { type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import { fail, ok, type Result } from '#domain/result.ts';

import {
  answerError,
  serve,
  type ServerApp,
  type ServerContext,
  type ServerEnv,
} from '../http/answers.ts';
import { findRoom, type Refusal, toPublisher } from './access.ts';
import {
  answerStored,
  createPublishLimit,
  type Engine,
  findBearer,
  type RealtimeDeps,
  refuse,
} from './engine.ts';
import { createHub } from './hub.ts';
import { EVENT_BYTES_MAX } from './log/reader.ts';
import { type Draft, encodeEntries } from './log/row.ts';
import { serveMarkLogs } from './mark-routes.ts';
import { parsePublish } from './publish-request.ts';
import { parseCounts, parseHistoryQuery, parseNewest, parseStreamQuery } from './queries.ts';
import { createStreams } from './stream.ts';
import { type Bearer, createTokens } from './token.ts';

export interface RealtimeRoutes {
  /** To be mounted at /api/realtime. */
  readonly routes: ServerApp;
  /** Ends all streams, so that the server can stop; subscribers reconnect by themselves. */
  close(): void;
}

export interface EmbeddedRoutes extends RealtimeRoutes {
  countStreams(): number;
}

/** The room of a channel, if the holder may use it and its client exists. */
const findLiveRoom = (
  { channelTemplate, hasClient }: Engine,
  bearer: Bearer,
  channel: string,
): Result<RoomKey, Refusal> => {
  const room = findRoom(bearer, channel, channelTemplate);
  if (!room.ok || hasClient(splitRoomKey(room.value).clientId)) return room;
  return fail({ status: 410, text: 'There is no such client.' });
};

/** `GET token`: a short-lived access token for the signed-in staff member. */
const answerToken = async (engine: Engine, c: ServerContext): Promise<Response> => {
  const identity = await engine.sessions.read(c.req.raw);
  if (identity === undefined || !(await engine.hasAccount(c, identity))) {
    return answerError(c, 401, 'Sign in first.');
  }
  const { tokens } = engine;
  const { user, sid, expires } = identity;
  return c.json({ ...tokens.forStaff({ uid: user.uid, sid, expires }), uid: user.uid });
};

/** A checked publish of the request's sender. */
const readDraft = async (
  engine: Engine,
  c: ServerContext,
  bearer: Bearer,
): Promise<Result<Draft, Refusal>> => {
  const request = parsePublish(await c.req.text());
  if (!request.ok) return request;
  const { channel, id, message } = request.value;
  const room = findLiveRoom(engine, bearer, channel);
  return room.ok ? ok({ room: room.value, publisher: toPublisher(bearer), id, message }) : room;
};

/** `POST publish`: idempotent by id. */
const answerPublish = (engine: Engine, c: ServerContext): Promise<Response> =>
  answerStored(engine, c, {
    read: (bearer) => readDraft(engine, c, bearer),
    store: (draft) => engine.store.publish(draft),
  });

/** `GET history`: one page of a room. */
const answerHistory = (engine: Engine, c: ServerContext): Response => {
  const bearer = findBearer(engine, c);
  if (!bearer.ok) return refuse(c, bearer.error);
  const query = parseHistoryQuery(c.req.query());
  if (!query.ok) return refuse(c, query.error);
  const room = findLiveRoom(engine, bearer.value, query.value.channel);
  if (!room.ok) return refuse(c, room.error);
  const { rows, more } = engine.store.readHistory(room.value, query.value);
  const headers = { 'content-type': 'application/json' };
  return c.body(encodeEntries(engine.channelTemplate, rows, { more }), 200, headers);
};

/** `POST history`: the newest page of many rooms at once, until they take `EVENT_BYTES_MAX`. */
const answerNewest = async (engine: Engine, c: ServerContext): Promise<Response> => {
  const bearer = findBearer(engine, c);
  if (!bearer.ok) return refuse(c, bearer.error);
  const channels = parseNewest(await c.req.text());
  if (!channels.ok) return refuse(c, channels.error);
  const still = findBearer(engine, c);
  if (!still.ok) return refuse(c, still.error);
  const pages: string[] = [];
  let size = 0;
  for (const channel of channels.value) {
    const room = findLiveRoom(engine, bearer.value, channel);
    if (!room.ok && room.error.status !== 410) return refuse(c, room.error);
    if (!room.ok) continue;
    const { rows, more } = engine.store.readHistory(room.value, { count: HISTORY_PAGE_SIZE });
    const page = encodeEntries(engine.channelTemplate, rows, { more });
    pages.push(`${JSON.stringify(channel)}:${page}`);
    size += Buffer.byteLength(page);
    if (size >= EVENT_BYTES_MAX) break;
  }
  const headers = { 'content-type': 'application/json' };
  return c.body(`{"pages":{${pages.join(',')}}}`, 200, headers);
};

/** `POST counts`: entries after a timetoken, for many rooms at once. */
const answerCounts = async (engine: Engine, c: ServerContext): Promise<Response> => {
  const bearer = findBearer(engine, c);
  if (!bearer.ok) return refuse(c, bearer.error);
  const since = parseCounts(await c.req.text());
  if (!since.ok) return refuse(c, since.error);
  const still = findBearer(engine, c);
  if (!still.ok) return refuse(c, still.error);
  const counts: [string, number][] = [];
  for (const [channel, after] of since.value) {
    const room = findRoom(bearer.value, channel, engine.channelTemplate);
    if (!room.ok) return refuse(c, room.error);
    counts.push([channel, engine.store.countAfter(room.value, after)]);
  }
  return c.json({ counts: Object.fromEntries(counts) });
};

/** `GET stream`: server-sent events after a cursor. */
const answerStream = (engine: Engine, c: ServerContext): Response => {
  const bearer = findBearer(engine, c);
  if (!bearer.ok) return refuse(c, bearer.error);
  const cursor = parseStreamQuery(c.req.query());
  if (!cursor.ok) return refuse(c, cursor.error);
  if (c.req.method === 'HEAD') return c.body(null, 200);
  const admitted = engine.streams.admit(bearer.value);
  if (!admitted.ok) return refuse(c, admitted.error);
  engine.streams.open(c.env.outgoing, bearer.value, cursor.value);
  return RESPONSE_ALREADY_SENT;
};

/** The embedded engine over HTTP; its protocol is described in README.md of this folder. */
export const createRealtimeRoutes = (deps: RealtimeDeps): EmbeddedRoutes => {
  const hub = createHub(deps);
  const streams = createStreams(hub);
  const takePublish = createPublishLimit();
  const tokens = createTokens(deps.secret, () => Date.now(), deps.authority);
  const engine: Engine = { ...deps, tokens, streams, takePublish };
  const stopWatching = deps.sessions.onDenied((sid) => streams.endSession(sid));
  const routes: ServerApp = new Hono<ServerEnv>();
  serve(routes, '/token', { GET: (c) => answerToken(engine, c) });
  serve(routes, '/publish', { POST: (c) => answerPublish(engine, c) });
  serve(routes, '/history', {
    GET: (c) => answerHistory(engine, c),
    POST: (c) => answerNewest(engine, c),
  });
  serve(routes, '/counts', { POST: (c) => answerCounts(engine, c) });
  serve(routes, '/stream', { GET: (c) => answerStream(engine, c) });
  const stopMarkLogs = serveMarkLogs(routes, engine);
  return {
    routes,
    countStreams: () => streams.count(),
    close: () => {
      stopWatching();
      stopMarkLogs();
      hub.close();
    },
  };
};
