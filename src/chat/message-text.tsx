import { memo, useMemo } from 'react';

import { splitLinks } from '#domain/rules/links.ts';

const toPlacedParts = (text: string) => {
  let end = 0;
  return splitLinks(text).map((part) => {
    const start = end;
    end += part.text.length;
    return { start, part };
  });
};

/** Text of a message with its links; foreign addresses learn nothing about this page. */
export const MessageText = memo(({ text }: { readonly text: string }) => {
  const parts = useMemo(() => toPlacedParts(text), [text]);
  return parts.map(({ start, part }) =>
    part.href === undefined ? (
      part.text
    ) : (
      <a key={start} href={part.href} target="_blank" rel="noopener noreferrer nofollow">
        {part.text}
      </a>
    ),
  );
});
