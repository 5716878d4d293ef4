import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { changeFont, FONTS } from '#tests/support/page/font.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { waitForReading } from '#tests/support/page/unread.ts';
import { type FaultyServer, startFaultyServer } from '#tests/support/scenes/faulty-server.ts';
import {
  type Device,
  DESKTOP_DEVICE,
  PHONE_DEVICE,
  setDevice,
} from '#tests/support/screens/device.ts';

const DEVICES: readonly Device[] = [
  { ...PHONE_DEVICE, name: '320 px', width: 320 },
  { ...PHONE_DEVICE, name: '360 px', width: 360 },
  { ...PHONE_DEVICE, name: '390 px' },
  { ...PHONE_DEVICE, name: 'a tablet', width: 1024, height: 768 },
  { ...DESKTOP_DEVICE, name: '1440 px' },
];
/** Enough clients for counts of two digits. */
const CLIENTS = Array.from({ length: 12 }, (_, n) => `c_${String(n + 3).padStart(3, '0')}`);

let backend: FaultyServer;
let user: User;

const filters = () => user.page().getByRole('radiogroup', { name: 'Show' });
const countOf = (name: string) =>
  filters()
    .getByRole('radio', { name, exact: true })
    .evaluate((input) => {
      const id = input.getAttribute('aria-describedby');
      return id === null ? '' : (document.getElementById(id)?.textContent ?? '');
    });

beforeAll(async () => {
  backend = await startFaultyServer();
  user = await createUser(backend.server);
  user.problems.allow(NETWORK_AWAY);
  await user.signIn(PRODUCER, '/chat/c_001/team');
  await waitForReading(user.page(), PRODUCER.uid);
  await user.page().getByRole('button', { name: 'Expand clients' }).click();
  for (const client of CLIENTS) {
    const sender = { publisher: `client:${client}`, clientName: 'A client' };
    await backend.writeAs(sender, `chat.${client}.general`, 'Is it ready?');
  }
});
afterAll(async () => {
  await user.dispose();
  await backend.dispose();
});
afterEach(() => expect(user.problems.take()).toEqual([]));

/** Runs in the page: filters and counts that are cut off or wider than their target. */
const findHidden = (group: Element): readonly string[] => {
  const { left, right, top, bottom } = group.getBoundingClientRect();
  const found: string[] = [];
  const isInside = (box: DOMRect): boolean =>
    box.left >= left - 0.5 &&
    box.right <= right + 0.5 &&
    box.top >= top - 0.5 &&
    box.bottom <= bottom + 0.5;
  for (const choice of group.querySelectorAll('label')) {
    const parts = [choice, ...choice.querySelectorAll('[data-count]')];
    if (!parts.every((part) => isInside(part.getBoundingClientRect()))) {
      found.push(`${choice.textContent} is cut off`);
    }
    const label = document.createRange();
    for (const node of choice.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) label.selectNode(node);
    }
    if (label.getBoundingClientRect().right > choice.getBoundingClientRect().right + 0.5) {
      found.push(`${choice.textContent} is wider than its target`);
    }
  }
  return found;
};

test.each(DEVICES)('all filters with their counts fit in any font: $name', async (device) => {
  await setDevice(user.page(), device);
  if (device.width < 768) await user.visit('/chat');
  else await user.visit('/chat/c_001/team');
  await expect.poll(() => countOf('Unread')).toMatch(/^1\d clients$/);
  await expect.poll(() => countOf('Needs reply')).toMatch(/^1\d clients$/);
  const hidden: Record<string, readonly string[]> = {};
  for (const font of FONTS) {
    await changeFont(user.page(), font);
    hidden[font] = await filters().evaluate(findHidden);
  }
  expect(hidden).toEqual(Object.fromEntries(FONTS.map((font) => [font, []])));
});
