/** A part of a text; `link` is set if it is one. */
export interface TextPart {
  readonly text: string;
  readonly link: Link | undefined;
}

/** An address that the user may follow. */
export interface Link {
  readonly href: string;
  /**
   * The address as shown, with its host in ASCII, as the network uses it; whole, because people
   * copy it with the text around it.
   */
  readonly shown: string;
}

/**
 * The name under which a host is looked up (lower case, punycode); undefined for an invalid
 * host. The browser's own parser decides, because it decides where the link leads.
 */
export type ToAsciiHost = (host: string) => string | undefined;

/**
 * Only these schemes become links. A link ends at white space, quotes, angle brackets,
 * controls, and at characters that are invisible or change the reading direction, which could
 * make an address look like another one.
 */
const CANDIDATE = /(?<![\p{L}\p{N}_])(?:https?:\/\/|mailto:)[^\s"<>`\p{Cc}\p{Cf}\p{Cs}]+/giu;

const CLOSERS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
const TRAILING = new Set(".,;:!?'*_~…。、，！？".split(''));

const countOf = (text: string, char: string): number => text.split(char).length - 1;

/** Cuts off punctuation of the surrounding sentence; a closing bracket stays if it was opened. */
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

/** Slashes would turn the part before the @ into user info of a host. */
const MAIL = /^(?<before>mailto:[^@\s/\\]+@)(?<host>[^@\s?]+)(?<after>(?:\?[^@\s]*)?)$/i;
/** No user info: `https://bank.example@evil.example` reads like the bank. */
const WEB = /^(?<before>https?:\/\/)(?<host>[^@/?#\\]+?)(?<after>(?::\d*)?(?:[/?#].*)?)$/i;

/**
 * The link of a candidate, if it is valid. A host in any other script is shown in ASCII,
 * because its letters can look like those of a trusted name.
 */
const findLink = (candidate: string, toAsciiHost: ToAsciiHost): Link | undefined => {
  const href = trimTrailing(candidate);
  const { before, host, after } = (MAIL.exec(href) ?? WEB.exec(href))?.groups ?? {};
  if (before === undefined || host === undefined || after === undefined) return undefined;
  const ascii = toAsciiHost(host);
  if (ascii === undefined || ascii === '') return undefined;
  const known = host.toLowerCase() === ascii ? host : ascii;
  return { href, shown: `${before}${known}${after}` };
};

/** Splits a text into plain text and links; joining the parts' texts returns the text. */
export const splitLinks = (text: string, toAsciiHost: ToAsciiHost): readonly TextPart[] => {
  const parts: TextPart[] = [];
  let done = 0;
  const pushText = (end: number) => {
    if (end > done) parts.push({ text: text.slice(done, end), link: undefined });
  };
  for (const match of text.matchAll(CANDIDATE)) {
    const link = findLink(match[0], toAsciiHost);
    if (link !== undefined) {
      pushText(match.index);
      parts.push({ text: link.href, link });
      done = match.index + link.href.length;
    }
  }
  pushText(text.length);
  return parts;
};
