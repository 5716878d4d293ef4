/** Anything but spaces, control characters, and characters without a shape. */
const SHAPE = /[^\s\p{Cc}\p{DI}\u2800]/u;

/** A text, or a note in its place if there is nothing to see in it. */
export const toVisible = (text: string): string => (SHAPE.test(text) ? text : 'Empty message');

/** The text in place of a message that another app wrote in a form of its own. */
export const UNREADABLE_TEXT = "This message can't be shown here.";
