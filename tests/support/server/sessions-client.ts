import type { Answer, CookieClient } from './web-client.ts';

/** One session as `GET /api/sessions` lists it. */
export interface ListedSession {
  readonly handle: string;
  readonly device: string;
  readonly since: number;
  readonly lastSeen: number;
  readonly current: boolean;
}

export const listSessions = async (client: CookieClient): Promise<readonly ListedSession[]> =>
  (await client.send('/api/sessions')).json()['sessions'] as readonly ListedSession[];

/** `DELETE` below /api/sessions with a fresh token. */
export const endSession = async (client: CookieClient, path: string): Promise<Answer> => {
  const csrfToken = await client.getCsrfToken();
  const headers = { 'x-csrf-token': csrfToken };
  return client.send(`/api/sessions${path}`, { method: 'DELETE', headers });
};
