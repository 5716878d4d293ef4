import type { FoundText, Range } from '#domain/text/found-text.ts';

import classes from './marked-text.module.css';

/** What continues a letter or an emoji: accents and other marks, skin tones, joined emoji. */
const CONTINUED = /^(?:\p{M}|[\u{1F3FB}-\u{1F3FF}]|\u200D\p{Extended_Pictographic})+/u;

/** Ranges with what continues their last letter; without those that begin within another one. */
const widen = ({ text, ranges }: FoundText): readonly Range[] => {
  const whole = ranges.map(({ start, end }) => {
    const rest = CONTINUED.exec(text.slice(end))?.[0] ?? '';
    return { start, end: end + rest.length };
  });
  return whole.filter(({ start }, index) => start >= (whole[index - 1]?.end ?? 0));
};

/** A text with the parts that were found in it. */
export const MarkedText = ({ found }: { readonly found: FoundText }) => {
  const { text } = found;
  const ranges = widen(found);
  return (
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
};
