import { type Team, toFullName } from '../schemas/team.ts';

/** One spelling for composed and decomposed accents, in lower case. */
export const fold = (text: string): string => text.normalize('NFC').toLowerCase();

/**
 * The clients whose lowercase full name contains the lowercase query (spec §5), in their
 * order. Space around the query is ignored; an empty query keeps all.
 */
export const filterTeams = (teams: readonly Team[], query: string): readonly Team[] => {
  const wanted = fold(query.trim());
  return wanted === '' ? teams : teams.filter((team) => fold(toFullName(team)).includes(wanted));
};
