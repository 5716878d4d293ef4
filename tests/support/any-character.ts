import * as fc from 'fast-check';

const SURROGATES_FROM = 0xd8_00;
const SURROGATES = 0x8_00;
const LAST_CODE_POINT = 0x10_ff_ff;

/** The index is the code point without the surrogates. */
const toCharacter = (index: number): string =>
  String.fromCodePoint(index < SURROGATES_FROM ? index : index + SURROGATES);

const toIndex = (text: unknown): number => {
  const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
  const index = code === undefined || code < SURROGATES_FROM ? code : code - SURROGATES;
  if (index === undefined || index < 0 || toCharacter(index) !== text) {
    throw new Error('not one character');
  }
  return index;
};

/**
 * Any Unicode character, as with the unit `binary` of `fc.string`, from the same random numbers.
 * That unit lists its 1.1 million characters in a map in every worker, which takes a second.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: LAST_CODE_POINT - SURROGATES })
  .map(toCharacter, toIndex);
