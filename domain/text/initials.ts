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
