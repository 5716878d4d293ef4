/** Single-character edits between two words (Levenshtein). */
const countEdits = (left: string, right: string): number => {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
};

/** Short names (PORT, HOST, DEMO) are close to too many others to guess at. */
const GUESSABLE_LENGTH_MIN = 8;
const EDITS_MAX = 2;

/** The known name that `name` was probably meant to be: at most two edits away. */
export const suggestName = (name: string, known: readonly string[]): string | undefined =>
  known.find(
    (candidate) =>
      candidate.length >= GUESSABLE_LENGTH_MIN &&
      Math.abs(candidate.length - name.length) <= EDITS_MAX &&
      countEdits(name, candidate) <= EDITS_MAX,
  );
