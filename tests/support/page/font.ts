import type { Page } from 'playwright-core';

/** A family whose letters are clearly wider and one whose are narrower than most systems' own. */
export const FONTS = [
  "'DejaVu Sans', Verdana, monospace",
  "'Liberation Sans', Arial, serif",
] as const;

/** Runs in the page: a constructed style sheet, which the page's policy has no say in. */
const wearFont = (family: string): void => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `:root[data-mantine-color-scheme] { --mantine-font-family: ${family} !important; }`,
  );
  document.adoptedStyleSheets = [sheet];
};

/** Every page the tab opens from now on is written in that font, from its first paint on. */
export const openWithFont = (page: Page, family: string): Promise<unknown> =>
  page.addInitScript(wearFont, family);

/** The open page changes its font, as it does when one arrives after the text. */
export const changeFont = (page: Page, family: string): Promise<void> =>
  page.evaluate(wearFont, family);
