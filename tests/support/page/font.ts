import type { Page } from 'playwright-core';

/**
 * A font family with clearly wider letters and one with narrower letters than most systems' own.
 */
export const FONTS = [
  "'DejaVu Sans', Verdana, monospace",
  "'Liberation Sans', Arial, 'DejaVu Sans Condensed', serif",
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

/** Changes the font of the open page, as if it loaded after the text. */
export const changeFont = (page: Page, family: string): Promise<void> =>
  page.evaluate(wearFont, family);

/** The width of a text in each of the fonts, CSS pixels: equal if the system lacks one. */
export const measureFonts = (page: Page): Promise<readonly number[]> =>
  page.evaluate((families) => {
    const context = document.createElement('canvas').getContext('2d');
    if (context === null) throw new Error('no canvas');
    return families.map((family) => {
      context.font = `16px ${family}`;
      return context.measureText('The quick brown fox jumps over the lazy dog').width;
    });
  }, FONTS);
