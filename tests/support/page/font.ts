import type { Page } from 'playwright-core';

/**
 * A font family with clearly wider letters and one with narrower letters than most systems' own.
 */
export const FONTS = [
  "'DejaVu Sans', Verdana, monospace",
  "'Liberation Sans', Arial, serif",
] as const;

/** Runs in the page: a constructed style sheet, which the page's policy does not restrict. */
const wearFont = (family: string): void => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `:root[data-mantine-color-scheme] { --mantine-font-family: ${family} !important; }`,
  );
  document.adoptedStyleSheets = [sheet];
};

/** Every page that the tab opens from now on uses that font from its first paint on. */
export const openWithFont = (page: Page, family: string): Promise<unknown> =>
  page.addInitScript(wearFont, family);

/** Changes the font of the open page, as when one loads after the text. */
export const changeFont = (page: Page, family: string): Promise<void> =>
  page.evaluate(wearFont, family);
