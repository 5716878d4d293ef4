import { describe, expect, it } from 'vitest';

import { filterTeams } from '#domain/text/search.ts';

const TEAMS = [
  ['Maya', 'Okafor'],
  ['José', 'Núñez'],
  ['Søren', 'Kjærgaard'],
  ['Sinéad', "O'Sullivan"],
  ['Łukasz', 'Đurić'],
  ['İpek', 'Işık'],
  ['Anna', 'Weiß'],
  ['Þóra', 'Œuvrard'],
  ['Νίκος', 'Παπάς'],
].map(([first_name = '', last_name = ''], index) => ({
  client_id: `c_${index}`,
  client: { first_name, last_name },
}));
const found = (query: string) => filterTeams(TEAMS, query).map(({ client }) => client.last_name);

describe('the search for clients', () => {
  it.each([
    ['nunez', 'Núñez'],
    ['NÚÑ', 'Núñez'],
    ['Nu\u0301n\u0303', 'Núñez'],
    ['soren kjaergaard', 'Kjærgaard'],
    ['Kjærg', 'Kjærgaard'],
    ['lukasz duric', 'Đurić'],
    ['isik', 'Işık'],
    ['ipek', 'Işık'],
    ['IŞIK', 'Işık'],
    ['weiss', 'Weiß'],
    ['WEISS', 'Weiß'],
    ['thora', 'Œuvrard'],
    ['oeuvr', 'Œuvrard'],
    ['παπας', 'Παπάς'],
    ['ΝΙΚΟΣ', 'Παπάς'],
  ])('finds by %s, typed without accents or with them', (query, name) => {
    expect(found(query)).toEqual([name]);
  });

  it.each(["o'sul", 'O’Sullivan', 'o‘sul', 'osullivan'])(
    'finds %s however it is typed',
    (query) => {
      expect(found(query)).toEqual(["O'Sullivan"]);
    },
  );

  it('finds any part of the full name, in any case', () => {
    expect(found('MAYA')).toEqual(['Okafor']);
    expect(found('a ok')).toEqual(['Okafor']);
    expect(found('zz')).toEqual([]);
  });

  it('returns the same list for an empty query', () => {
    expect(filterTeams(TEAMS, '')).toBe(TEAMS);
    expect(filterTeams(TEAMS, '  ')).toBe(TEAMS);
  });

  it('finds all words in any order', () => {
    expect(found('okafor maya')).toEqual(['Okafor']);
    expect(found('  oka   may ')).toEqual(['Okafor']);
    expect(found('okafor jose')).toEqual([]);
  });
});
