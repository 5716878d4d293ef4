import { memo, useMemo } from 'react';

import { splitLinks } from '#domain/text/links.ts';

/** The browser's own parser decides, because it decides where a link leads. */
const toAsciiHost = (host: string): string | undefined => {
  const address = `https://${host}`;
  return URL.canParse(address) ? new URL(address).hostname : undefined;
};

const toPlacedParts = (text: string) => {
  let end = 0;
  return splitLinks(text, toAsciiHost).map((part) => {
    const start = end;
    end += part.text.length;
    return { start, part };
  });
};

/** Text of a message with its links; linked sites learn nothing about this page. */
export const MessageText = memo(({ text }: { readonly text: string }) => {
  const parts = useMemo(() => toPlacedParts(text), [text]);
  return parts.map(({ start, part: { text: plain, link } }) =>
    link === undefined ? (
      plain
    ) : (
      <a
        key={start}
        href={link.href}
        title={link.shown === link.full ? undefined : link.full}
        target="_blank"
        rel="noopener noreferrer nofollow"
      >
        {link.shown}
      </a>
    ),
  );
});
