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
 * Only these schemes become links. A link ends at white space, quotes, angle and East Asian
 * brackets, controls, and at characters that are invisible or change the reading direction, which
 * could make an address look like another one. Scripts without spaces may precede it directly.
 */
const CANDIDATE =
  /(?<!\w)(?:https?:\/\/|mailto:)[^\s"<>`„（）〈-】\p{Pi}\p{Pf}\p{Cc}\p{Cf}\p{Cs}]+/giu;

const BRACKETS: readonly (readonly [open: string, close: string])[] = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
];
const TRAILING = ".,;:!?'*_~…。、，！？；：";

/** Cuts off punctuation of the surrounding sentence; a closing bracket stays if it was opened. */
const trimTrailing = (candidate: string): string => {
  const surplus = new Map(
    BRACKETS.map(([open, close]) => [
      close,
      candidate.split(close).length - candidate.split(open).length,
    ]),
  );
  let end = candidate.length;
  for (; end > 0; end -= 1) {
    const char = candidate.charAt(end - 1);
    const unopened = surplus.get(char) ?? 0;
    if (unopened > 0) surplus.set(char, unopened - 1);
    else if (!TRAILING.includes(char)) break;
  }
  return candidate.slice(0, end);
};

/** Slashes would turn the part before the @ into user info of a host. */
const MAIL = /^(mailto:[^@\s/\\]+@)([^@\s?]+)((?:\?[^@\s]*)?)$/i;
/** No user info: `https://bank.example@evil.example` reads like the bank. */
const WEB = /^(https?:\/\/)([^@/?#\\]+?)((?::\d*)?(?:[/?#].*)?)$/i;

/**
 * The link of a candidate, if it is valid. A host in any other script is shown in ASCII,
 * because its letters can look like those of a trusted name.
 */
const findLink = (candidate: string, toAsciiHost: ToAsciiHost): Link | undefined => {
  const href = trimTrailing(candidate);
  const [, before, host, after] = MAIL.exec(href) ?? WEB.exec(href) ?? [];
  const ascii = host && toAsciiHost(host);
  if (!ascii) return undefined;
  const known = host.toLowerCase() === ascii ? host : ascii;
  return { href, shown: `${before}${known}${after}` };
};

/** Splits a text into plain text and links; joining the parts' texts returns the text. */
export const splitLinks = (text: string, toAsciiHost: ToAsciiHost): readonly TextPart[] => {
  const parts: TextPart[] = [];
  let done = 0;
  const pushText = (end?: number) => parts.push({ text: text.slice(done, end), link: undefined });
  for (const { 0: candidate, index } of text.matchAll(CANDIDATE)) {
    const link = findLink(candidate, toAsciiHost);
    if (link) {
      pushText(index);
      parts.push({ text: link.href, link });
      done = index + link.href.length;
    }
  }
  pushText();
  return parts.filter((part) => part.text);
};
