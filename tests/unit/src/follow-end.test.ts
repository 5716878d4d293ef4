import { expect, test } from 'vitest';

import { toEndDistance } from '#src/chat/thread/follow-end.ts';

test('the distance to the end is the height below the visible part', () => {
  const place = { scrollHeight: 1000, scrollTop: 300, clientHeight: 500 };
  expect(toEndDistance(place)).toBe(200);
  expect(toEndDistance({ ...place, scrollTop: 500 })).toBe(0);
});
