import { render } from '@testing-library/react';
import { expect, it } from 'vitest';

import { findRanges } from '#domain/text/found-text.ts';
import { MarkedText } from '#src/ui/text/marked-text.tsx';

const FAMILY = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}';
const THUMB = '\u{1F44D}\u{1F3FD}';

it.each([
  ['an accent of its own', 'le cafe\u0301 ferme', 'cafe', ['cafe\u0301']],
  ['a skin tone', `${THUMB} and \u{1F44D}`, '\u{1F44D}', [THUMB, '\u{1F44D}']],
  ['joined emoji', `the ${FAMILY}.`, '\u{1F468}', [FAMILY]],
  ['words side by side', 'goal goals', 'goal', ['goal', 'goal']],
])('a mark ends with a whole letter: %s', (_name, text, term, marks) => {
  const { container } = render(<MarkedText found={{ text, ranges: findRanges(text, [term]) }} />);
  expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(marks);
  expect(container.textContent).toBe(text);
});
