/** A piece of a text; `href` is set where it is a link. */
export interface TextPart {
  readonly text: string;
  readonly href: string | undefined;
}

/**
 * Only these schemes become links. A link ends at white space, quotes, angle brackets,
 * controls, and at characters that turn the reading direction or are invisible, which could
 * make an address look like another one.
 */
const CANDIDATE = /(?<![\p{L}\p{N}_])(?:https?:\/\/|mailto:)[^\s"<>`\p{Cc}\p{Cf}\p{Cs}]+/giu;

const CLOSERS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
const TRAILING = new Set(".,;:!?'*_~…。、，！？".split(''));

const countOf = (text: string, char: string): number => text.split(char).length - 1;

/** Cuts off punctuation of the sentence around; a closing bracket stays if it was opened. */
const trimTrailing = (candidate: string): string => {
  const surplus = new Map(
    Object.entries(CLOSERS).map(([close, open]) => [
      close,
      countOf(candidate, close) - countOf(candidate, open),
    ]),
  );
  let end = candidate.length;
  for (; end > 0; end -= 1) {
    const char = candidate.charAt(end - 1);
    const unopened = surplus.get(char) ?? 0;
    if (unopened > 0) surplus.set(char, unopened - 1);
    else if (!TRAILING.has(char)) break;
  }
  return candidate.slice(0, end);
};

/** Slashes would make the part before the @ user info of a host. */
const MAIL = /^mailto:[^@\s/\\]+@[^@\s]+$/i;
/** No user info: `https://bank.example@evil.example` reads like the bank. */
const WEB = /^https?:\/\/[^@/?#\\]+(?:[/?#].*)?$/i;

/** The address of a candidate that may become a link. */
const findHref = (candidate: string): string | undefined => {
  const href = trimTrailing(candidate);
  return MAIL.test(href) || WEB.test(href) ? href : undefined;
};

/** Splits a text into plain text and links; joining the parts gives back the text. */
export const splitLinks = (text: string): readonly TextPart[] => {
  const parts: TextPart[] = [];
  let done = 0;
  const pushText = (end: number) => {
    if (end > done) parts.push({ text: text.slice(done, end), href: undefined });
  };
  for (const match of text.matchAll(CANDIDATE)) {
    const href = findHref(match[0]);
    if (href !== undefined) {
      pushText(match.index);
      parts.push({ text: href, href });
      done = match.index + href.length;
    }
  }
  pushText(text.length);
  return parts;
};
