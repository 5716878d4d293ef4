import type { Team } from '#domain/schemas/team.ts';

import { openTeams } from '#db/read/fetched-lists.ts';
import { useShared } from './use-shared.ts';

/** The stored clients, regardless of their age; undefined while loading and before any fetch. */
export const useTeams = (): readonly Team[] | undefined => useShared(openTeams)?.teams;
