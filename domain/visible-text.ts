/** Anything but spaces, control characters, and characters without a shape. */
const SHAPE = /[^\s\p{Cc}\p{DI}\u2800]/u;

/** A text, or a note in its place if there is nothing to see in it. */
export const toVisible = (text: string): string => (SHAPE.test(text) ? text : 'Empty message');
