import type { CSSProperties } from 'react';

import classes from './initials-avatar.module.css';

/** Hues apart from those of the accent, of red and of each other. */
const HUES = [24, 48, 96, 140, 168, 204, 232, 262, 292, 328] as const;

/** Font size as a share of the avatar's size. */
const FONT_SHARE = 0.37;

const FNV_START = 2_166_136_261;
const FNV_PRIME = 16_777_619;

/** The same hue for the same person, everywhere and on every device (FNV-1a of the seed). */
const toHue = (seed: string): number => {
  let hash = FNV_START;
  for (let index = 0; index < seed.length; index += 1) {
    hash = Math.imul(hash ^ seed.charCodeAt(index), FNV_PRIME);
  }
  return HUES[(hash >>> 8) % HUES.length] ?? HUES[0];
};

const LETTER = /[\p{L}\p{N}]\p{M}*/u;

/** Some letters have no single capital ("ß" would become two letters). */
const toCapital = (letter: string): string => {
  const capital = letter.toUpperCase();
  return capital.length === letter.length ? capital : letter;
};

/**
 * Initials for an avatar: the first letter, with its marks, of the first and of the last word
 * that has one; empty for a name without letters.
 */
export const toInitials = (fullName: string): string => {
  const letters = fullName
    .normalize('NFC')
    .split(/\s+/u)
    .flatMap((word) => LETTER.exec(word)?.[0] ?? []);
  const ends = letters.length > 1 ? [letters[0], letters.at(-1)] : letters;
  return ends.map((letter) => toCapital(letter ?? '')).join('');
};

/**
 * Initials on a tint derived from `seed` (a publisher or client id). Purely decorative: the name
 * is beside it or names the control around it, and the letters are not its text (WCAG 2.5.3).
 * Clients are round, staff square.
 */
export const InitialsAvatar = ({
  name,
  seed,
  shape,
  size,
}: {
  readonly name: string;
  readonly seed: string;
  readonly shape: 'round' | 'square';
  /** CSS pixels. */
  readonly size: number;
}) => (
  <span
    aria-hidden
    className={classes['root']}
    data-shape={shape}
    data-initials={toInitials(name)}
    style={
      {
        '--hue': toHue(seed),
        width: size,
        height: size,
        fontSize: Math.round(size * FONT_SHARE),
      } as CSSProperties
    }
  />
);
