import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { readIndexedDb } from '#tests/support/page/indexed-db-dump.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { waitForShortcuts } from '#tests/support/page/shell.ts';
import { getSession } from '#tests/support/page/session.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { holdStorage } from '#tests/support/browser/hold-storage.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_001/general';
const ROWS_MAX = 6;
let server: ServerProcess;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  await user.signIn(PRODUCER, ROOM);
  room = toRoomPage(user.page());
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
beforeEach(async () => {
  await user.visit(ROOM);
  await room.region.locator('[data-message-id]').first().waitFor();
  await room.composer.fill('');
  await room.composer.focus();
});
const readStored = async (): Promise<string> => (await readIndexedDb(user.page())).text;
afterEach(async () => {
  // The next test loads the page again, which starts with the stored drafts.
  await expect.poll(readStored).not.toContain('"texts":[[');
  expect(user.problems.take()).toEqual([]);
});

const press = (key: string): Promise<void> => user.page().keyboard.press(key);

/** Pastes a clipboard text as a user does. */
const paste = async (text: string): Promise<void> => {
  const page = user.page();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await press('Control+v');
  await expect.poll(async () => (await room.composer.inputValue()).length).toBe(text.length);
};

const measure = () =>
  room.composer.evaluate((field: HTMLTextAreaElement) => {
    const { paddingTop, paddingBottom, lineHeight } = getComputedStyle(field);
    const inner = field.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
    return {
      rows: Math.round(inner / parseFloat(lineHeight)),
      scrolls: field.scrollHeight > field.clientHeight + 1,
    };
  });

test(
  'Enter that ends an IME composition sends nothing; the next one sends',
  { tags: ['S5.3'] },
  async () => {
    const session = await getSession(user.page());
    await session.send('Input.imeSetComposition', {
      text: 'にほんご',
      selectionStart: 4,
      selectionEnd: 4,
    });
    await expect.poll(() => room.composer.inputValue()).toBe('にほんご');
    // The key code that browsers report for a key that the input method handles.
    await session.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key: 'Enter',
      code: 'Enter',
      windowsVirtualKeyCode: 229,
    });
    expect(await room.composer.inputValue()).toBe('にほんご');
    await session.send('Input.insertText', { text: '日本語' });
    await expect.poll(() => room.composer.inputValue()).toBe('日本語');
    expect(await room.message('日本語').count()).toBe(0);
    await press('Enter');
    await room.message('日本語').waitFor();
    expect(await room.message('にほんご').count()).toBe(0);
  },
);

test('the field grows from one row to six, then scrolls', async () => {
  await expect.poll(measure).toEqual({ rows: 1, scrolls: false });
  for (let row = 2; row <= ROWS_MAX; row += 1) {
    await press('Shift+Enter');
    await expect.poll(measure).toEqual({ rows: row, scrolls: false });
  }
  await press('Shift+Enter');
  await expect.poll(measure).toEqual({ rows: ROWS_MAX, scrolls: true });
  await room.composer.fill(
    `A line that is so long that it wraps. ${'And on it goes. '.repeat(20)}`,
  );
  await expect.poll(async () => (await measure()).rows).toBeGreaterThan(1);
  await room.composer.fill('');
  await expect.poll(measure).toEqual({ rows: 1, scrolls: false });
});

/** Limit for the page's own work, which is independent of other processes. */
const PASTE_SECONDS_MAX = 2;

/** Processor time of the page's main thread so far, in seconds. */
const readWorkSeconds = async (): Promise<number> => {
  const session = await user.page().context().newCDPSession(user.page());
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN;
};

test('a long text is pasted at once, scrolls in the field and is sent whole', async () => {
  const text = Array.from({ length: 400 }, (_, line) => `${line}: ${'word '.repeat(9)}.`).join(
    '\n',
  );
  expect(text.length).toBeGreaterThan(20_000);
  const before = await readWorkSeconds();
  await paste(text);
  expect((await readWorkSeconds()) - before).toBeLessThan(PASTE_SECONDS_MAX);
  await expect.poll(measure).toEqual({ rows: ROWS_MAX, scrolls: true });
  await press('Enter');
  await expect.poll(() => room.composer.inputValue()).toBe('');
  const sent = room.message('399: word');
  await expect.poll(() => sent.getAttribute('data-state')).toBe('sent');
  const shown = await sent.locator('[data-readable]').evaluate((one) => one.textContent);
  expect(shown).toBe(text);
});

const QUICK = ['yes', 'no', 'go', 'hm', 'so', 'he', 'ok'];

/** The own messages on screen, the oldest first. */
const readOwn = (): Promise<readonly string[]> =>
  room.region.locator('[data-own="true"] [data-readable]').allTextContents();

/** Types as people do who send one word after another. */
const sendQuickly = async (words: readonly string[]): Promise<void> => {
  for (const word of words) {
    await user.page().keyboard.type(word);
    await press('Enter');
  }
};

test('messages typed while the first one is being stored are sent one by one', async () => {
  // On a slow machine the storage is held for longer than a heartbeat may take.
  user.problems.allow(/TASK_TIMED_OUT \{task: heartbeatLimit/);
  const release = await holdStorage(user.page());
  await sendQuickly(QUICK);
  await user.page().keyboard.type('and');
  expect((await readOwn()).filter((text) => QUICK.includes(text))).toEqual([]);
  await release();
  await expect.poll(() => room.composer.inputValue()).toBe('and');
  await expect.poll(async () => (await readOwn()).slice(-QUICK.length)).toEqual(QUICK);
  await user.page().keyboard.type(' more');
  await press('Enter');
  await expect.poll(async () => (await readOwn()).at(-1)).toBe('and more');
});

test('messages sent quickly on a slow processor are sent one by one', async () => {
  // A busy machine may hold up the heartbeat of a page that is slowed down.
  user.problems.allow(/TASK_TIMED_OUT \{task: heartbeatLimit/);
  const session = await getSession(user.page());
  await session.send('Emulation.setCPUThrottlingRate', { rate: 10 });
  const words = QUICK.map((word) => `${word}!`);
  await sendQuickly(words);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await expect.poll(() => room.composer.inputValue()).toBe('');
  await expect.poll(async () => (await readOwn()).slice(-words.length)).toEqual(words);
});

test('a long address can be copied from its message, and works', async () => {
  const page = user.page();
  const address = `https://replays.example.com/${'deliveries/'.repeat(20)}goal.mp4?token=${'x'.repeat(200)}`;
  const text = `The cut is at ${address} until Friday.`;
  await paste(text);
  await press('Enter');
  const sent = room.message('until Friday.').last();
  await expect.poll(() => sent.getAttribute('data-state')).toBe('sent');
  await page.evaluate(() => navigator.clipboard.writeText(''));
  // A row that moves between the click and the key loses the selection.
  await expect
    .poll(async () => {
      await sent.locator('[data-readable]').click({ clickCount: 3, position: { x: 4, y: 8 } });
      await press('Control+c');
      return (await page.evaluate(() => navigator.clipboard.readText())).trim();
    })
    .toBe(text);
  expect(await sent.getByRole('link').getAttribute('href')).toBe(address);
});

test('a text above the limit is refused and stays in the field, where it can be shortened', async () => {
  const text = 'A film of a sentence. '.repeat(1600);
  await paste(text);
  await press('Enter');
  const refusal = user.page().getByRole('alert').filter({ hasText: 'too long' });
  await refusal.waitFor();
  expect(await room.composer.inputValue()).toBe(text);
  expect(await room.region.locator('[data-state="queued"], [data-state="failed"]').count()).toBe(0);
  await room.composer.fill('A film of a sentence, short.');
  await refusal.waitFor({ state: 'detached' });
  await press('Enter');
  await room.message('A film of a sentence, short.').waitFor();
});

test('a draft stays with its room', async () => {
  await room.composer.fill('For General\nin two lines');
  await user.page().getByRole('link', { name: 'Producers' }).click();
  await expect.poll(() => room.composer.inputValue()).toBe('');
  await room.composer.fill('For Producers');
  await user.page().getByRole('link', { name: 'General' }).click();
  await expect.poll(async () => (await measure()).rows).toBe(2);
  await user.page().keyboard.type('!');
  expect(await room.composer.inputValue()).toBe('For General\nin two lines!');
  await room.composer.fill('');
  await user.page().getByRole('link', { name: 'Producers' }).click();
  await expect.poll(() => room.composer.inputValue()).toBe('For Producers');
  await room.composer.fill('');
});

test('letters typed beside the message field go into it', async () => {
  await waitForShortcuts(user.page());
  const typeBeside = async (text: string): Promise<string> => {
    await user.page().keyboard.type(text);
    return room.composer.inputValue();
  };
  await room.region.locator('[data-message-id]').last().click();
  expect(await room.composer.evaluate((one) => one === document.activeElement)).toBe(false);
  expect(await typeBeside('Hello there')).toBe('Hello there');
  await room.composer.fill('');
  await room.region.locator('[data-message-id]').last().getByRole('button').first().focus();
  expect(await typeBeside('On it')).toBe('On it');
  await room.composer.fill('');
  // A space scrolls, or presses a button.
  await room.region.focus();
  expect(await typeBeside(' ')).toBe('');
  await room.composer.fill('');
});

test('the caret stops blinking after ten seconds', async () => {
  const readCaret = (at: number): Promise<string> =>
    room.composer.evaluate((field, ms) => {
      for (const rest of field.getAnimations()) rest.currentTime = ms;
      return getComputedStyle(field).getPropertyValue('caret-animation');
    }, at);
  expect([await readCaret(9999), await readCaret(10_000)]).toEqual(['auto', 'manual']);
});
