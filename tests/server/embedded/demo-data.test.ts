import { describe, expect, test } from 'vitest';

import { toFullName } from '#domain/schemas/team.ts';
import { toEpochMs } from '#domain/timetoken.ts';
import { type DemoRow, listDemoRows } from '#server/embedded/demo/conversations.ts';
import { DEMO_ACCOUNTS, DEMO_CLIENTS } from '#server/embedded/demo/people.ts';
import { parseScript } from '#server/embedded/demo/script.ts';

const NOW = Date.UTC(2026, 10, 20, 14, 30);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const rows = listDemoRows(NOW);
const toText = ({ message }: DemoRow): string => (JSON.parse(message) as { text: string }).text;
const ofRoom = (room: string): readonly DemoRow[] => rows.filter((row) => row.room === room);
const rooms = [...new Set(rows.map(({ room }) => room))];

describe('clients', () => {
  test('are at least fourteen with different first letters, Maya Okafor first', () => {
    expect(DEMO_CLIENTS.length).toBeGreaterThanOrEqual(14);
    const letters = DEMO_CLIENTS.map(({ client }) => client.first_name[0]);
    expect(new Set(letters).size).toBe(letters.length);
    expect(DEMO_CLIENTS.map(({ client_id }) => client_id)).toEqual(
      DEMO_CLIENTS.map((_, index) => `c_${String(index + 1).padStart(3, '0')}`),
    );
    expect(toFullName(DEMO_CLIENTS[0]!)).toBe('Maya Okafor');
  });

  test('have accents, a right-to-left script, an apostrophe and a very long name among them', () => {
    const names = DEMO_CLIENTS.map(toFullName);
    expect(names.some((name) => /[éěíáøř]/.test(name))).toBe(true);
    expect(names.some((name) => /\p{Script=Hebrew}|\p{Script=Arabic}/u.test(name))).toBe(true);
    expect(names.some((name) => name.includes("'"))).toBe(true);
    expect(Math.max(...names.map((name) => name.length))).toBeGreaterThan(50);
  });
});

describe('conversations', () => {
  test('have 140, 60 and 26 messages for Maya Okafor, and none for one client', () => {
    const counts = ['team', 'general', 'producers'].map((room) => ofRoom(`c_001/${room}`).length);
    expect(counts).toEqual([140, 60, 26]);
    const silent = DEMO_CLIENTS.filter(
      ({ client_id }) => !rows.some(({ room }) => room.startsWith(`${client_id}/`)),
    );
    expect(silent.map(({ client_id }) => client_id)).toEqual(['c_016']);
  });

  test('never repeat a text in a room', () => {
    for (const room of rooms) {
      const texts = ofRoom(room).map(toText);
      expect(new Set(texts).size).toBe(texts.length);
    }
  });

  test('contain long texts, links, emoji, several lines and consecutive messages', () => {
    const texts = rows.map(toText);
    expect(texts.filter((text) => text.length > 400).length).toBeGreaterThan(0);
    expect(texts.filter((text) => text.includes('https://')).length).toBeGreaterThan(10);
    expect(texts.filter((text) => /\p{Extended_Pictographic}/u.test(text)).length).toBeGreaterThan(
      20,
    );
    expect(texts.filter((text) => text.includes('\n')).length).toBeGreaterThan(3);
    const team = ofRoom('c_001/team').map(({ publisher }) => publisher);
    expect(team.filter((publisher, i) => publisher === team[i - 1]).length).toBeGreaterThan(15);
  });

  test('are written by both staff accounts and by each room’s own client', () => {
    const staff = DEMO_ACCOUNTS.map(({ uid }) => uid as string);
    for (const { room, publisher } of rows) {
      const own = `client:${room.split('/')[0]}`;
      expect([...staff, own]).toContain(publisher);
    }
    for (const uid of staff) {
      expect(rows.filter(({ publisher }) => publisher === uid).length).toBeGreaterThan(100);
    }
  });

  test('have the same ids whenever they are seeded', () => {
    const later = listDemoRows(NOW + DAY_MS);
    const toIds = (seeded: readonly DemoRow[]) =>
      seeded.map((row) => `${row.room} ${row.publisher} ${row.id} ${toText(row)}`).toSorted();
    expect(toIds(later)).toEqual(toIds(rows));
  });

  test('have the payload of the wire, with an id', () => {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const { id, message } of rows) {
      expect(JSON.parse(message)).toEqual({
        id,
        text: expect.stringMatching(/\S/),
        clientName: expect.stringMatching(/\S/),
        clientAvatar: '',
      });
    }
  });

  test.each([0, 0.4, 3, 8, 13, 18, 23.9])(
    'rise strictly and end shortly before the start, if that is at %d h',
    (hour) => {
      const now = new Date(NOW).setHours(0, 0, 0, 0) + hour * HOUR_MS;
      const seeded = listDemoRows(now);
      const timetokens = seeded.map(({ timetoken }) => timetoken);
      expect(timetokens).toEqual([...new Set(timetokens)].toSorted());
      expect(toEpochMs(timetokens.at(-1)!)).toBeLessThan(now);
      expect(now - toEpochMs(timetokens.at(-1)!)).toBeLessThan(HOUR_MS);
      expect(now - toEpochMs(timetokens[0]!)).toBeGreaterThan(10 * DAY_MS);
    },
  );

  test('keep the order in which they were written', () => {
    const first = ofRoom('c_015/team').map(toText);
    expect(first[0]).toMatch(/^Welcome to Replay Desk, Nadia!/);
    expect(first.at(-1)).toMatch(/about that dark spot\.$/);
  });
});

test('an invalid line of the script is an error with its number', () => {
  expect(parseScript('# team\n@ 3 09:15\nC Hello\n  there')).toEqual([
    {
      roomId: 'team',
      scenes: [
        {
          start: { daysAgo: 3, hour: 9, minute: 15 },
          lines: [{ speaker: 'C', text: 'Hello\nthere' }],
        },
      ],
    },
  ]);
  for (const source of ['C Hello', '# team\nC Hello', '# cellar', '# team\n@ 5m\nX Hello']) {
    expect(() => parseScript(source)).toThrow(/^line \d: /);
  }
});
