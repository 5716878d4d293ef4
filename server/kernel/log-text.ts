/** Control and format characters could forge lines, or hide or colour them in a terminal. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** Untrusted text for the log: clipped, on one line, without control characters. */
export const toLogText = (text: string, lengthMax: number): string =>
  text.slice(0, lengthMax).replaceAll(UNSAFE, ' ').trim();
