import { memo, useMemo } from 'react';

import { findChatIds } from '#domain/routes.ts';
import { splitLinks } from '#domain/text/links.ts';
import { openLink } from '#src/ui/address.tsx';
import { toAsciiHost } from '#src/ui/text/to-ascii-host.ts';

const toPlacedParts = (text: string) => {
  let end = 0;
  return splitLinks(text, toAsciiHost).map((part) => {
    const start = end;
    end += part.text.length;
    return { start, part };
  });
};

const AWAY = { target: '_blank', rel: 'noopener noreferrer nofollow' };

/** Whether an address is one of this installation's conversations, which open in place. */
const isHere = (href: string): boolean =>
  href.startsWith(`${window.location.origin}/`) &&
  findChatIds(new URL(href).pathname) !== undefined;

/** Text of a message with its links, which send no referrer to other sites. */
export const MessageText = memo(({ text }: { readonly text: string }) => {
  const parts = useMemo(() => toPlacedParts(text), [text]);
  return parts.map(({ start, part: { text: plain, link } }) =>
    link === undefined ? (
      plain
    ) : (
      <a key={start} href={link.href} {...(isHere(link.href) ? { onClick: openLink } : AWAY)}>
        {link.shown}
      </a>
    ),
  );
});
