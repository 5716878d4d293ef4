/** A piece of a text; `link` is set where it is one. */
export interface TextPart {
  readonly text: string;
  readonly link: Link | undefined;
}

/** An address that may be followed. */
export interface Link {
  readonly href: string;
  /** The address with its host as the network knows it, in ASCII. */
  readonly full: string;
  /** As it is shown: long ones are cut in the middle, never at the end of their host. */
  readonly shown: string;
}

/**
 * The name a host is looked up under (lower case, punycode); undefined for what is no host. The
 * browser's own answer is asked for: it is where the link would lead.
 */
export type ToAsciiHost = (host: string) => string | undefined;

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
const MAIL = /^(?<before>mailto:[^@\s/\\]+@)(?<host>[^@\s?]+)(?<after>(?:\?[^@\s]*)?)$/i;
/** No user info: `https://bank.example@evil.example` reads like the bank. */
const WEB = /^(?<before>https?:\/\/)(?<host>[^@/?#\\]+?)(?<after>(?::\d*)?(?:[/?#].*)?)$/i;

/** Addresses up to this are shown whole, characters. */
const WHOLE_MAX = 60;
/** So much of a cut address is left: of its host, which is cut in front, and of its end. */
const HOST_MAX = 40;
const END_MAX = 24;

const cutFront = (text: string, max: number): string => {
  const letters = Array.from(text);
  return letters.length > max ? `…${letters.slice(-max).join('')}` : text;
};

/** `https://host/…/end`: who is behind an address shows in its host's end. */
const toShown = (full: string, before: string, host: string, after: string): string => {
  if (Array.from(full).length <= WHOLE_MAX) return full;
  const end = cutFront(after.slice(after.lastIndexOf('/') + 1), END_MAX);
  const middle = after === '' ? '' : end.startsWith('…') ? '/' : '/…/';
  return `${before}${cutFront(host, HOST_MAX)}${middle}${end}`;
};

/**
 * The link of a candidate that may become one. A host that is spelled in any way but ASCII is
 * shown in ASCII: letters of other scripts look like those of a name one trusts.
 */
const findLink = (candidate: string, toAsciiHost: ToAsciiHost): Link | undefined => {
  const href = trimTrailing(candidate);
  const { before, host, after } = (MAIL.exec(href) ?? WEB.exec(href))?.groups ?? {};
  if (before === undefined || host === undefined || after === undefined) return undefined;
  const ascii = toAsciiHost(host);
  if (ascii === undefined || ascii === '') return undefined;
  const known = host.toLowerCase() === ascii ? host : ascii;
  const full = `${before}${known}${after}`;
  return { href, full, shown: toShown(full, before, known, after) };
};

/** Splits a text into plain text and links; joining the parts' texts gives back the text. */
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
