import type { Locator, Page } from 'playwright-core';

/** A room on the screen, located by roles and names. */
export interface RoomPage {
  readonly region: Locator;
  readonly composer: Locator;
  /** Present while notifications are on. */
  readonly bell: Locator;
  readonly fetchMore: Locator;
  /** The message with this text, visible or not yet there. */
  message(text: string): Locator;
  /** Types a text and presses Enter; resolves when it was accepted (the field is empty). */
  send(text: string): Promise<void>;
  /** Visible texts, from top to bottom. */
  visibleTexts(): Promise<readonly string[]>;
  /**
   * Waits for parts that load after the messages: their menus, and the notes of those that fail.
   */
  waitForLateParts(): Promise<void>;
  /** Scrolls through the whole thread and returns every message once, from top to bottom. */
  readAll(): Promise<readonly ReadMessage[]>;
}

export interface ReadMessage {
  readonly id: string;
  readonly text: string;
}

export const toRoomPage = (page: Page): RoomPage => {
  const region = page.getByRole('region', { name: 'Messages' });
  const messages = region.locator('[data-message-id]');
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  return {
    region,
    composer,
    bell: page.getByRole('button', { name: /^Notifications: / }),
    fetchMore: page.getByRole('button', { name: 'Fetch more' }),
    message: (text) => messages.filter({ hasText: text }),
    send: async (text) => {
      await composer.fill(text);
      await composer.press('Enter');
      await page.waitForFunction(
        (field) => field instanceof HTMLTextAreaElement && field.value === '',
        await composer.elementHandle(),
      );
    },
    visibleTexts: () => messages.allInnerTexts(),
    waitForLateParts: () =>
      region
        .getByRole('button', { name: 'Message actions' })
        .first()
        .waitFor({ state: 'attached' }),
    readAll: () => region.evaluate(readWholeThread),
  };
};

/**
 * Runs in the page: from the top down, a little less than a screen at a time, and once more if
 * older messages appeared above meanwhile.
 */
const readWholeThread = async (region: Element): Promise<ReadMessage[]> => {
  const frame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done));
  const inside = [region, ...region.querySelectorAll('*')];
  const scroller = inside.find((node) => {
    const { overflowY } = getComputedStyle(node);
    return overflowY === 'auto' || overflowY === 'scroll';
  });
  if (!scroller) throw new Error('nothing scrolls in the thread');
  const seen = new Map<string, string>();
  const look = (): void => {
    for (const item of region.querySelectorAll<HTMLElement>('[data-message-id]')) {
      seen.set(item.dataset['messageId'] ?? '', item.innerText);
    }
  };
  const isAtEnd = (): boolean =>
    scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1;
  const goTo = async (top: number): Promise<void> => {
    scroller.scrollTop = top;
    await frame();
    await frame();
  };
  const findFirst = async (): Promise<string | undefined> => {
    await goTo(0);
    return region.querySelector<HTMLElement>('[data-message-id]')?.dataset['messageId'];
  };
  let first: string | undefined;
  do {
    seen.clear();
    first = await findFirst();
    look();
    while (!isAtEnd()) {
      await goTo(scroller.scrollTop + scroller.clientHeight * 0.6);
      look();
    }
  } while ((await findFirst()) !== first);
  await goTo(scroller.scrollHeight);
  return [...seen].map(([id, text]) => ({ id, text }));
};
