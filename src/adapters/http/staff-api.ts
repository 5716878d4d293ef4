import type { StaffApi } from '#domain/ports/network.ts';
import { parseProducers } from '#domain/schemas/producer.ts';
import { parseTeams } from '#domain/schemas/team.ts';

import { requestJson, type Web } from './request-json.ts';

/** The staff endpoints through the proxy (spec §7). */
export const createStaffApi = (web: Web): StaffApi => ({
  getTeams: (cancel) =>
    requestJson(web, { path: '/api/proxy/staff/teams', parse: parseTeams, cancel }),
  async getProducers(cancel) {
    const path = '/api/proxy/staff/producers';
    const answer = await requestJson(web, { path, parse: parseProducers, cancel });
    return answer.ok ? answer.value : [];
  },
});
