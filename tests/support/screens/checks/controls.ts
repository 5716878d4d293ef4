import type { Page } from 'playwright-core';

import type { Device, Insets } from '../device.ts';

/** Size of touch targets, CSS pixels; links within a text are as high as its lines. */
const TOUCH_PX = 44;
/** WCAG 2.5.8. */
const POINTER_PX = 24;

interface Rules {
  readonly smallestPx: number;
  readonly insets: Insets;
}

/** Runs in the page: its controls, and the reasons why they are unusable. */
const examine = ({ smallestPx, insets }: Rules): string[] => {
  const CONTROLS =
    'a[href], button, input, textarea, select, [role="option"], [role="menuitem"], [tabindex="0"]';
  /** Overlays that cover the rest, which is reachable after they close. */
  const OVER = 'dialog[open], [role="menu"], nav[data-expanded], [data-kind]';
  const front = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
  const describe = (element: Element): string =>
    `${element.tagName.toLowerCase()} "${element.getAttribute('aria-label') ?? element.textContent.slice(0, 40)}"`;
  const faults: string[] = [];
  for (const element of front.querySelectorAll<HTMLElement>(CONTROLS)) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    // It becomes visible on focus.
    if (element.getAttribute('href') === '#main') continue;
    const isInText = element.matches('[data-message-id] a');
    element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    const box = element.getBoundingClientRect();
    const isLow = box.height < smallestPx - 0.5;
    const isNarrow = box.width < smallestPx - 0.5;
    if (!isInText && (isLow || isNarrow)) {
      faults.push(`${describe(element)} is ${box.width} by ${box.height}`);
    }
    const isCut =
      box.left < insets.left - 0.5 ||
      box.right > innerWidth - insets.right + 0.5 ||
      (box.height < innerHeight / 2 &&
        (box.top < insets.top - 0.5 || box.bottom > innerHeight - insets.bottom + 0.5));
    if (isCut)
      faults.push(`${describe(element)} is cut off: ${Object.values(box.toJSON()).join()}`);
    const x = Math.min(Math.max(box.left + box.width / 2, 1), innerWidth - 1);
    const y = box.top + Math.min(box.height, innerHeight) / 2;
    const hits = document.elementsFromPoint(x, y);
    const hit = hits.find((one) => element.contains(one) || one.closest(OVER) === null);
    if (!isInText && hit !== undefined && !element.contains(hit) && !hit.contains(element)) {
      faults.push(`${describe(element)} is covered by ${describe(hit)}`);
    }
    if (hit === undefined) faults.push(`${describe(element)} is hidden`);
  }
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
  if (scrollWidth > clientWidth) faults.push(`wider than the window: ${scrollWidth}`);
  const main = document.querySelector('#main');
  const hasOwnScroll = main !== null && getComputedStyle(main).overflowY === 'auto';
  if (hasOwnScroll && scrollHeight > clientHeight) faults.push('the window scrolls, too');
  return [...new Set(faults)];
};

const NONE: Insets = { top: 0, right: 0, bottom: 0, left: 0 };

/** The reasons why controls on the page are unusable, by touch or by pointer. */
export const findUnusable = (page: Page, device: Device): Promise<readonly string[]> =>
  page.evaluate(examine, {
    smallestPx: device.kind === 'phone' ? TOUCH_PX : POINTER_PX,
    insets: device.insets ?? NONE,
  });
