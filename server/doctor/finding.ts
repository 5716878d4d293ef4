/**
 * One result of the doctor. A `note` informs and blocks nothing; `bad` would prevent the start, or
 * prevent people from working.
 */
export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'note' | 'bad';
  readonly text: string;
}

export const ok = (name: string, text: string): Finding => ({ name, state: 'ok', text });
export const note = (name: string, text: string): Finding => ({ name, state: 'note', text });
export const bad = (name: string, text: string): Finding => ({ name, state: 'bad', text });

const STATE_WIDTH = 6;
const NAME_WIDTH = 11;

const toLines = ({ name, state, text }: Finding): string => {
  const head = `  ${state.padEnd(STATE_WIDTH)}${name.padEnd(NAME_WIDTH)}`;
  return `${head}${text.split('\n').join(`\n${' '.repeat(head.length)}`)}`;
};

/** The findings as text for people, with a summary at the end. */
export const renderFindings = (findings: readonly Finding[]): string => {
  const count = findings.filter(({ state }) => state === 'bad').length;
  const sum =
    count === 0 ? 'No problems found.' : `${count} ${count === 1 ? 'problem' : 'problems'} found.`;
  return `${[...findings.map(toLines), '', sum].join('\n')}\n`;
};
