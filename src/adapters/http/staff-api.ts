import type { StaffApi } from '#domain/ports/network.ts';
import { parseProducers } from '#domain/schemas/producer.ts';
import { parseTeams } from '#domain/schemas/team.ts';

import { type JsonRequest, requestJson, type Web } from './request-json.ts';

/**
 * The staff endpoints through the proxy (spec §7), for the user whose store keeps the lists. All
 * tabs share the session cookie: after a sign-in elsewhere it may belong to another user, and the
 * server then answers 401.
 */
export const createStaffApi = (web: Web, user: { readonly uid?: string }): StaffApi => {
  const request = <T>(list: string, parse: JsonRequest<T>['parse'], cancel: AbortSignal) =>
    requestJson(web, {
      path: `/api/proxy/staff/${list}`,
      headers: { 'x-user': encodeURIComponent(user.uid ?? '') },
      parse,
      cancel,
    });
  return {
    getTeams: (cancel) => request('teams', parseTeams, cancel),
    getProducers: (cancel) => request('producers', parseProducers, cancel),
  };
};
