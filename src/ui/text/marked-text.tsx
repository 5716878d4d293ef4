import type { FoundText } from '#domain/text/found-text.ts';

import classes from './marked-text.module.css';

/** A text with the parts that were found in it. */
export const MarkedText = ({ found: { text, ranges } }: { readonly found: FoundText }) => (
  <>
    {ranges.map(({ start, end }, index) => (
      <span key={start}>
        {text.slice(ranges[index - 1]?.end ?? 0, start)}
        <mark className={classes['mark']}>{text.slice(start, end)}</mark>
      </span>
    ))}
    {text.slice(ranges.at(-1)?.end ?? 0)}
  </>
);
