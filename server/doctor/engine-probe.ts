import * as z from 'zod';

import type { HostedKeyset } from '../config/config.ts';
import { toEngineUrl } from '../hosted/access-manager.ts';
import { askEngineFor, type EngineAnswer } from '../hosted/engine-request.ts';

/** The doctor's uid at the service; no user signs in with it. */
export const DOCTOR_UID = 'replay-desk-doctor';

/** A message arrives within a second, or not at all. */
const POLL_MS = 5000;

const timeSchema = z.tuple([z.number()]);
const pageSchema = z.object({ channels: z.record(z.string(), z.unknown()) });
const sentSchema = z.tuple([z.literal(1), z.string(), z.string()]);
const batchSchema = z.object({
  t: z.object({ t: z.string(), r: z.number() }),
  m: z.array(z.unknown()),
});

export type Batch = z.infer<typeof batchSchema>;

/** The calls of a page, without its SDK. An empty token means none. */
export interface EngineProbe {
  /** 100 ns since the epoch. */
  time(): Promise<EngineAnswer<number>>;
  readHistory(channel: string, token: string): Promise<EngineAnswer<unknown>>;
  /** Publishes a message that is stored nowhere. */
  publish(channel: string, token: string): Promise<EngineAnswer<unknown>>;
  /** Without `from` it returns the current position, else the messages after it. */
  subscribe(name: string, token: string, from?: Batch): Promise<EngineAnswer<Batch>>;
}

export const createEngineProbe = (keyset: HostedKeyset): EngineProbe => {
  const { subscribeKey, publishKey } = keyset;
  const toUrl = (path: string, query: Readonly<Record<string, string>>): string =>
    `${toEngineUrl(keyset)}${path}?${String(new URLSearchParams({ ...query, uuid: DOCTOR_UID }))}`;
  const toAuth = (token: string): { readonly auth?: string } => (token ? { auth: token } : {});
  return {
    time: async () => {
      const request = { url: `${toEngineUrl(keyset)}/time/0` };
      const answer = await askEngineFor(request, timeSchema, 'not the time');
      return answer.ok ? { ok: true, value: answer.value[0] } : answer;
    },
    readHistory: (channel, token) => {
      const path = `/v3/history/sub-key/${subscribeKey}/channel/${encodeURIComponent(channel)}`;
      const url = toUrl(path, { max: '1', ...toAuth(token) });
      return askEngineFor({ url }, pageSchema, 'no page of history');
    },
    publish: (channel, token) => {
      const message = encodeURIComponent(JSON.stringify({ text: 'Replay Desk: doctor' }));
      const path = `/publish/${publishKey}/${subscribeKey}/0/${encodeURIComponent(channel)}/0/${message}`;
      const url = toUrl(path, { store: '0', ...toAuth(token) });
      return askEngineFor({ url }, sentSchema, 'no acknowledgement');
    },
    subscribe: (name, token, from) => {
      const cursor = from ? { tt: from.t.t, tr: String(from.t.r) } : { tt: '0' };
      const path = `/v2/subscribe/${subscribeKey}/${encodeURIComponent(name)}/0`;
      const url = toUrl(path, { ...cursor, ...toAuth(token) });
      const request = { url, ...(from && { timeoutMs: POLL_MS }) };
      return askEngineFor(request, batchSchema, 'no batch of messages');
    },
  };
};
