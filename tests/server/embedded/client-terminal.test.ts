import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { type NodeProcess, runScript } from '#tests/support/process/node-process.ts';
import {
  createRealtimeClient,
  createTestTokens,
  type RealtimeClient,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const ROOM = 'chat.c_002.team';

let server: WebServer;
let staff: RealtimeClient;
let terminals: NodeProcess[];

beforeEach(async () => {
  terminals = [];
  server = await startWebServer();
  staff = createRealtimeClient(server.port, createTestTokens(server.dataDir).staff());
});
afterEach(async () => {
  for (const terminal of terminals) {
    terminal.kill('SIGKILL');
    await terminal.exited;
  }
  await server.dispose();
});

const openTerminal = (...args: readonly string[]): NodeProcess => {
  const terminal = runScript('server/bin/client.ts', args, {
    PORT: String(server.port),
    DATA_DIR: server.dataDir,
  });
  terminals.push(terminal);
  return terminal;
};
const count = (output: string, text: string): number => output.split(text).length - 1;
const readTexts = async (channel = ROOM): Promise<readonly string[]> =>
  (await staff.history({ channel, count: '100' })).map(({ message }) => message.text);

test('it sends piped lines under the client’s name, and exits when they are stored', async () => {
  const terminal = openTerminal('--client', 'c_002');
  terminal.write('first line\n\n   \nsecond line\nlast one without an end');
  terminal.endInput();
  expect(await terminal.exited).toBe(0);
  const entries = await staff.history({ channel: ROOM, count: '3' });
  expect(entries.map(({ message }) => message.text)).toEqual([
    'first line',
    'second line',
    'last one without an end',
  ]);
  for (const { publisher, message } of entries) {
    expect(publisher).toBe('client:c_002');
    expect(message).toMatchObject({ clientName: 'Søren Kjærgaard', clientAvatar: '' });
    expect(message.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/);
  }
  expect(terminal.output()).toMatch(/\d\d:\d\d Søren Kjærgaard: second line\n/);
});

test('it sends piped lines although nobody reads its output any more', async () => {
  const terminal = openTerminal('--client', 'c_002');
  await terminal.waitForOutput('Søren Kjærgaard in Team');
  terminal.closeOutput();
  terminal.write('one\ntwo\nthree\n');
  terminal.endInput();
  expect(await terminal.exited).toBe(0);
  expect((await readTexts()).slice(-3)).toEqual(['one', 'two', 'three']);
});

test('it shows the newest messages, then live ones, of its own room only', async () => {
  const terminal = openTerminal('--client', 'c_001', '--room', 'general');
  await terminal.waitForOutput('Maya Okafor: It would. Caretaker');
  await staff.publish('chat.c_001.team', toMessage('in another room'));
  await staff.publish('chat.c_002.general', toMessage('of another client'));
  await staff.publish('chat.c_001.general', toMessage('two lines\nof text'));
  await terminal.waitForOutput('Replay Desk: two lines\n      of text\n');
  expect(terminal.output()).not.toMatch(/in another room|of another client/);
  terminal.kill('SIGINT');
  expect(await terminal.exited).toBe(0);
});

test('control characters of a message never reach the terminal', async () => {
  const terminal = openTerminal('--client', 'c_002');
  await terminal.waitForOutput('Søren Kjærgaard in Team');
  const text = 'a\u001B[2Jb\u0007c\u009Bd\u202Ee\r\nf\tg';
  await staff.publish(ROOM, { ...toMessage(text), clientName: 'x\u001B[31m\ny' });
  await terminal.waitForOutput('a\uFFFD[2Jb\uFFFDc\uFFFDd\uFFFDe\n      f g');
  expect(terminal.output()).toContain('x\uFFFD[31m y: a');
  expect(terminal.output()).not.toMatch(/(?!\n)\p{Cc}/u);
});

test('it reconnects after a restart of the server: nothing missed, nothing twice', async () => {
  const terminal = openTerminal('--client', 'c_002');
  await staff.publish(ROOM, toMessage('before the restart'));
  await terminal.waitForOutput('before the restart');
  await server.close();
  terminal.write('written while the server was away\n');
  await terminal.waitForOutput('Trying again');
  server = await server.restart();
  await staff.publish(ROOM, toMessage('after the restart'));
  await terminal.waitForOutput('after the restart');
  await terminal.waitForOutput('written while the server was away');
  terminal.endInput();
  expect(await terminal.exited).toBe(0);
  for (const text of [
    'before the restart',
    'after the restart',
    'written while the server was away',
  ]) {
    expect(count(terminal.output(), text)).toBe(1);
    expect((await readTexts()).filter((stored) => stored === text)).toHaveLength(1);
  }
});

test('started before the server, it waits and reports that', async () => {
  await server.close();
  const terminal = openTerminal('--client', 'c_003');
  terminal.write('early bird\n');
  terminal.endInput();
  await terminal.waitForOutput('does not answer. Trying again');
  server = await server.restart();
  expect(await terminal.exited).toBe(0);
  expect((await readTexts('chat.c_003.team')).at(-1)).toBe('early bird');
});

test('a refused line is reported and does not delay others', async () => {
  const terminal = openTerminal('--client', 'c_002');
  terminal.write(`${'far too long '.repeat(3000)}\nshort enough\n`);
  terminal.endInput();
  expect(await terminal.exited).toBe(1);
  expect(terminal.output()).toContain('The message is too large');
  expect((await readTexts()).at(-1)).toBe('short enough');
});

test('Ctrl+C while the server is down waits for unsent lines; a second one exits', async () => {
  const terminal = openTerminal('--client', 'c_002');
  await terminal.waitForOutput('Søren Kjærgaard in Team');
  await server.close();
  terminal.write('will not make it\n');
  await terminal.waitForOutput('Trying again');
  terminal.kill('SIGINT');
  await terminal.waitForOutput('1 message is not sent yet');
  terminal.kill('SIGINT');
  expect(await terminal.exited).toBe(1);
});

test('wrong arguments and unknown clients end it with the reason', async () => {
  const cases = [
    [[], '--client is missing'],
    [['--client'], 'argument missing'],
    [['--client', 'no spaces'], 'is not a client id'],
    [['--client', 'c_001', '--room', 'kitchen'], 'Rooms are: team, general, producers'],
    [['--client', 'c_001', '--loud'], "Unknown option '--loud'"],
    [['--client', 'c_999'], 'There is no client c_999'],
  ] as const;
  for (const [args, reason] of cases) {
    const terminal = openTerminal(...args);
    expect(await terminal.exited).toBe(2);
    expect(terminal.output()).toContain(reason);
  }
  const help = openTerminal('--help');
  expect(await help.exited).toBe(0);
  expect(help.output()).toMatch(/^Usage: npm run client/);
  const names = ['PORT', 'HOST', 'DATA_DIR', 'API_BASE_URL', 'AUTH_SECRET', 'CHANNEL_TEMPLATE'];
  for (const name of names) {
    expect(help.output()).toMatch(new RegExp(`\\b${name}\\b[^]*must match that server`));
  }
});

test('a server on another data folder ends it with a hint', async () => {
  const { dataDir } = server;
  server = { ...server, dataDir: `${dataDir}-of-somebody-else` };
  const terminal = openTerminal('--client', 'c_001');
  expect(await terminal.exited).toBe(2);
  expect(terminal.output()).toContain(
    `at http://127.0.0.1:${server.port} does not keep its data in`,
  );
  expect(terminal.output()).toContain('Set DATA_DIR');
  server = { ...server, dataDir };
});

test('a data folder of another server ends it with a hint', async () => {
  const other = await startWebServer();
  const { dataDir } = server;
  await other.close();
  server = { ...server, dataDir: other.dataDir };
  const terminal = openTerminal('--client', 'c_001');
  expect(await terminal.exited).toBe(2);
  expect(terminal.output()).toContain('does not keep its data in');
  server = { ...server, dataDir };
  await other.dispose();
});

test('on a new data folder it waits for the first start', async () => {
  const { dataDir } = server;
  await server.close();
  server = { ...server, dataDir: `${dataDir}-later` };
  const terminal = openTerminal('--client', 'c_001');
  await terminal.waitForOutput('Waiting for "npm start"');
  expect(terminal.output()).toContain(`DATA_DIR=${dataDir}-later`);
  expect(terminal.output()).toContain(`PORT=${server.port}`);
  terminal.kill('SIGINT');
  expect(await terminal.exited).toBe('SIGINT');
  server = { ...server, dataDir };
});

test('it reports data that is damaged or cannot be read, and does not wait', async () => {
  const file = join(server.dataDir, 'desk.sqlite');
  const expectRefusal = async (reason: string): Promise<void> => {
    const terminal = openTerminal('--client', 'c_002');
    expect(await terminal.exited).toBe(1);
    expect(terminal.output()).toBe(
      `The data in ${server.dataDir} cannot be read: ${reason}. Check its owner and mode, or restore a backup.\n`,
    );
  };
  await server.close();
  rmSync(`${file}-wal`, { force: true });
  rmSync(`${file}-shm`, { force: true });
  writeFileSync(file, 'no database, but long enough to be looked at. '.repeat(50));
  await expectRefusal('file is not a database');
  rmSync(file);
  mkdirSync(file);
  await expectRefusal('disk I/O error');
});
