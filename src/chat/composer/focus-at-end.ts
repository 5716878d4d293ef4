/** More than any text, UTF-16 units: browsers use the end of the text instead. */
const END = 1e9;

/** Focuses a field so that typing continues at the end of its text. */
export const focusAtEnd = (field: HTMLTextAreaElement | null | undefined): void => {
  field?.focus({ preventScroll: true });
  field?.setSelectionRange(END, END);
};
